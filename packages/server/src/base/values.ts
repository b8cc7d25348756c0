import type { Generation } from "@decern/core/tools";

/** Whether a value is an object with named values, such as a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The `code` of an error of Node's, Fastify's or the host's. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Other requests wait no longer than this for the event loop. */
const sliceMs = 5;

/**
 * Runs a generator to its end without keeping the event loop to itself.
 *
 * @param isWanted - whether somebody still waits for the value
 * @returns `undefined` when no client waits any more
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

/** Makes something once for each set of decisions, however often their profiles change. */
export function oncePerSet<T>(make: (generation: Generation) => T): (generation: Generation) => T {
  const made = new WeakMap<object, T>();
  return (generation) => {
    const { set } = generation;
    const known = made.get(set);
    if (known !== undefined) return known;
    const value = make(generation);
    made.set(set, value);
    return value;
  };
}
