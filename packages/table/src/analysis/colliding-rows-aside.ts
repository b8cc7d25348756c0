import { type ComparedTable, collidingRows } from "./colliding-rows.js";

/**
 * As {@link collidingRows}, in a thread; where none can be started, such as in a bundle without its script, in place.
 *
 * @param signal - ends the thread
 */
export async function collidingRowsAside(
  table: ComparedTable,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const threads = globalThis.process?.getBuiltinModule?.("node:worker_threads");
  const script = scriptOfThread();
  if (threads === undefined || script === undefined) return collidingRows(table);
  signal.throwIfAborted();
  const thread = new threads.Worker(script, { workerData: table, execArgv: [] });
  // Like the polling that this is a part of, it doesn't keep the process alive.
  thread.unref();
  let stop = (): void => {};
  try {
    return await new Promise<readonly number[]>((resolve, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", () => reject(new Error("The thread that compares rows ended without a result")));
    });
  } finally {
    signal.removeEventListener("abort", stop);
    void thread.terminate();
  }
}

function scriptOfThread(): URL | undefined {
  const files = globalThis.process?.getBuiltinModule?.("node:fs");
  // Bundles of other forms have no URL.
  if (!URL.canParse(import.meta.url)) return undefined;
  const script = new URL("./colliding-rows-thread.js", import.meta.url);
  return files?.existsSync(script) === true ? script : undefined;
}
