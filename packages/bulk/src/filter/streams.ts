import type { Writable } from "node:stream";

/** The next bytes of a stream. Rejects with the stream's error. */
export function nextChunk(
  chunks: AsyncIterator<unknown>,
  signal: AbortSignal,
): Promise<Buffer | "ended" | "stopped"> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve("stopped");
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    // Once it is stopped, what becomes of the stream is of no interest.
    const done = (): void => signal.removeEventListener("abort", stop);
    chunks.next().then(
      (next) => {
        done();
        resolve(next.done === true ? "ended" : bytesOf(next.value));
      },
      (error: unknown) => {
        done();
        reject(error);
      },
    );
  });
}

function bytesOf(chunk: unknown): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
}

/** Writes, and waits until the stream takes more. Rejects where it fails or closes instead. */
export function writeAll(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let takesMore = false;
    stream.write(text, (error) => {
      if (error) reject(error);
      else if (!takesMore) resolve();
    });
    takesMore = !stream.writableNeedDrain;
    if (takesMore) resolve();
  });
}
