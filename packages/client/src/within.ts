import type { SendOptions } from "./call-options.js";
import { DecernClientError } from "./decern-client-error.js";

// Timers take 31 bits, and fire at once for more.
const longest = 2 ** 31 - 1;

/** Works until it is done, a time is over, or a caller's signal is aborted. */
export async function within<T>(
  timeoutMs: number,
  { signal: outer, requestId }: SendOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const abortWithCaller = () =>
    controller.abort(
      new DecernClientError("ABORTED", "The call was aborted", { requestId, cause: outer?.reason }),
    );
  const timeOut = () =>
    controller.abort(new DecernClientError("TIMEOUT", `No reply within ${timeoutMs} ms`, { requestId }));
  const timer = timeoutMs > longest ? undefined : setTimeout(timeOut, timeoutMs);
  // Not all work ends with its signal: a `fetch` of the caller's, or a function that gets headers.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  if (outer?.aborted) abortWithCaller();
  outer?.addEventListener("abort", abortWithCaller);
  try {
    return await Promise.race([aborted, work(signal)]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", abortWithCaller);
  }
}

/** Waits. Returns early when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    const timer = setTimeout(done, Math.min(ms, longest));
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
