/** Other requests wait no longer than this for the event loop. */
const sliceMs = 5;

/**
 * Runs a generator to its end without keeping the event loop to itself.
 *
 * @param isWanted - whether somebody still waits for the value
 * @returns `undefined` when nobody waits any more
 */
export async function runInSlices<Value>(
  steps: Generator<void, Value>,
  isWanted: () => boolean,
): Promise<Value | undefined> {
  while (isWanted()) {
    const end = performance.now() + sliceMs;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return undefined;
}
