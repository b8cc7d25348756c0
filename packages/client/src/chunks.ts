import { sleep } from "./within.js";

// Small enough to be sent again whole, and large enough that a request costs little beside what it carries.
const mostLines = 1000;
const mostText = 250_000;
/** How long an input waits for others to be sent with, in milliseconds: a slow source delays only what it has not given. */
const patienceMs = 20;

/** Writes inputs as lines of NDJSON, as many at a time as one request should have. */
export async function* chunksOf(
  inputs: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<readonly string[], void, undefined> {
  const source = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
  let pending: Promise<IteratorResult<unknown>> | IteratorResult<unknown> | undefined;
  try {
    for (let ended = false; !ended; ) {
      const lines: string[] = [];
      let size = 0;
      const full = new AbortController();
      let patience: Promise<undefined> | undefined;
      while (lines.length < mostLines && size < mostText) {
        pending ??= source.next();
        const step = await (patience === undefined ? pending : Promise.race([pending, patience]));
        if (step === undefined) break;
        pending = undefined;
        ended = step.done === true;
        if (ended) break;
        const line = JSON.stringify(step.value ?? null);
        lines.push(line);
        size += line.length;
        patience ??= sleep(patienceMs, full.signal);
      }
      full.abort();
      if (lines.length > 0) yield lines;
    }
  } finally {
    // Not awaited: a source may never give another input, nor end.
    void Promise.allSettled([pending, source.return?.()]);
  }
}
