import type { FromFrame, FromWorker, ToFrame, ToWorker } from "./messages.js";

// The frame has no origin and no network: see `sandboxPolicy`. It runs the code in a worker, and ends it where it takes too long.

/** For the code of a module, and for one evaluation. A slow machine stays far below them. */
const limitsMs = { open: 3_000, evaluate: 2_000 } as const;

/** More than any page can use. In characters. */
const longestText = 4_000_000;

const stopped = {
  open: `The code took longer than ${limitsMs.open / 1000} seconds, and was stopped. Does it have an endless loop?`,
  evaluate: `The evaluation took longer than ${limitsMs.evaluate / 1000} seconds, and was stopped. Does a rule have an endless loop?`,
} as const;

let worker: Worker | undefined;

// Only the site's own page may use the frame, and only while it is cut off from the site's origin.
if (self.origin === "null" && parent !== self) {
  addEventListener("message", ({ source, origin, data }: MessageEvent<ToFrame>) => {
    if (source === parent && origin === location.origin) take(data);
  });
  toPage({ kind: "ready" });
}

function toPage(message: FromFrame): void {
  // The page tells the frame by its window: a sandboxed frame has no origin to name.
  parent.postMessage(message, "*");
}

function end(): void {
  worker?.terminate();
  worker = undefined;
}

/** The page waits for each reply before it asks again. */
function take({ ticket, asked, open }: ToFrame): void {
  const stop = (reason: string) => {
    end();
    toPage({ kind: "told", ticket, stopped: reason });
  };
  if (open !== undefined) {
    end();
    worker = new Worker(URL.createObjectURL(new Blob([open.script], { type: "text/javascript" })));
  }
  const current = worker;
  if (current === undefined) return stop("The code was stopped");
  let timer = 0;
  let isRunning = false;
  const run = () => {
    isRunning = true;
    timer = window.setTimeout(() => stop(stopped[asked.kind]), limitsMs[asked.kind]);
    post(current, { ticket, asked });
  };
  // What the code sends by itself is not the reply, or stands for it: then the author sees that.
  current.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (!isRunning) {
      if ("loaded" in data) run();
    } else if ("text" in data && data.ticket === ticket && typeof data.text === "string") {
      window.clearTimeout(timer);
      current.onmessage = null;
      if (data.text.length > longestText) stop("The result is too long to show");
      else toPage({ kind: "told", ticket, text: data.text });
    }
  };
  current.onerror = (event) => {
    event.preventDefault();
    // Later errors are those of code that continues after its reply.
    if (!isRunning) stop(`The playground could not start: ${event.message}`);
  };
  if (open === undefined) run();
  else post(current, open.files);
}

function post(to: Worker, message: ToWorker): void {
  to.postMessage(message);
}
