import type { PlaygroundCall } from "../base/state.js";
import type { Asked, Source, Told } from "../engine/messages.js";
import type { FromFrame, ToFrame, WorkerFiles } from "./messages.js";

/** Finds the files that a source needs. @throws Error where they cannot be loaded */
export type LoadFiles = (source: Source) => Promise<{ readonly script: string; readonly files: WorkerFiles }>;

/** Runs code in a frame without origin and network. It asks one thing at a time. */
export class Sandbox {
  readonly #frame: HTMLIFrameElement;
  readonly #load: LoadFiles;
  readonly #ready: Promise<void>;
  readonly #waiting = new Map<number, (message: FromFrame) => void>();
  #tickets = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** What the worker has open. Undefined where it was stopped. */
  #opened: Source | undefined;

  /** @param frame - with `sandbox="allow-scripts"`; its page is loaded here */
  constructor(frame: HTMLIFrameElement, url: string, load: LoadFiles) {
    this.#frame = frame;
    this.#load = load;
    this.#ready = new Promise((resolve) => {
      addEventListener("message", ({ source, data }: MessageEvent<FromFrame>) => {
        if (source !== frame.contentWindow) return;
        if (data.kind === "ready") resolve();
        else this.#waiting.get(data.ticket)?.(data);
      });
    });
    frame.src = url;
  }

  /** @param signal - where it is aborted before its turn, nothing runs */
  open(source: Source, signal: AbortSignal): Promise<Told> {
    return this.#afterLast(signal, () => this.#open(source));
  }

  /** Opens the source first where another was opened, or where it was stopped. */
  evaluate(source: Source, index: number, call: PlaygroundCall, signal: AbortSignal): Promise<Told> {
    return this.#afterLast(signal, async () => {
      if (this.#opened !== source) {
        const told = await this.#open(source);
        if (told.mistake !== undefined) return told;
      }
      return this.#ask({ kind: "evaluate", index, call });
    });
  }

  async #open(source: Source): Promise<Told> {
    let open: ToFrame["open"];
    try {
      open = await this.#load(source);
    } catch (error) {
      return mistake(error instanceof Error ? error.message : String(error));
    }
    this.#opened = source;
    return this.#ask({ kind: "open", source }, open);
  }

  async #ask(asked: Asked, open?: ToFrame["open"]): Promise<Told> {
    await this.#ready;
    this.#tickets += 1;
    const ticket = this.#tickets;
    const message = await new Promise<FromFrame>((resolve) => {
      this.#waiting.set(ticket, resolve);
      const sent: ToFrame = { ticket, asked, ...(open === undefined ? {} : { open }) };
      this.#frame.contentWindow?.postMessage(sent, "*");
    });
    this.#waiting.delete(ticket);
    if (message.kind === "told" && message.text !== undefined) return readTold(message.text);
    this.#opened = undefined;
    return mistake((message.kind === "told" ? message.stopped : undefined) ?? "The code was stopped");
  }

  #afterLast(signal: AbortSignal, next: () => Promise<Told>): Promise<Told> {
    const result = this.#last.then(() => (signal.aborted ? mistake("superseded") : next()));
    this.#last = result;
    return result;
  }
}

function mistake(message: string): Told {
  return { mistake: { message }, console: [] };
}

/** Code can replace what makes this text, so only its form is relied on. */
function readTold(text: string): Told {
  try {
    const told: unknown = JSON.parse(text);
    // Holds as far as the page relies on it.
    if (isLikeTold(told)) return told as Told;
  } catch {
    // It is not JSON.
  }
  return mistake("The code has changed what the playground needs to show its result");
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isLikeTold(value: unknown): boolean {
  return (
    isFields(value) &&
    isTexts(value["console"]) &&
    (value["decisions"] === undefined || isListOf(value["decisions"], isDecision)) &&
    (value["mistake"] === undefined || (isFields(value["mistake"]) && isText(value["mistake"]["message"])))
  );
}

function isDecision(value: unknown): boolean {
  return (
    isFields(value) &&
    isText(value["id"]) &&
    isText(value["version"]) &&
    ["inputSchema", "outputSchema", "profileSchema"].every((name) => isFields(value[name])) &&
    isTexts(value["ruleIds"]) &&
    [value["uses"], value["versions"]].every((list) => isListOf(list, isFields)) &&
    Array.isArray(value["namedProfiles"]) &&
    [value["meta"], value["ruleDescriptions"], value["content"]].every(
      (fields) => fields === undefined || isFields(fields),
    )
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): boolean {
  return isListOf(value, isText);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}
