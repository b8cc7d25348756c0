import type { Generation } from "@decern/core/tools";

/** Whether a value is an object with named values, such as a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The `code` of an error of Node's, Fastify's or the host's. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
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
