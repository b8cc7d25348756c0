import type { Service } from "@decern/core/host";

/** The decisions and profiles in use at one instant. */
export type Generation = Service["catalogue"]["current"];

/** The `code` of an error of Node's, Fastify's or the host's. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Makes something once for each set of decisions, however often their profiles change. */
export function oncePerSet<T>(make: (generation: Generation) => T): (generation: Generation) => T {
  return once(({ set }) => set, make);
}

/** Makes something once for each generation. */
export function oncePerGeneration<T>(make: (generation: Generation) => T): (generation: Generation) => T {
  return once((generation) => generation, make);
}

/** What was made for a generation is forgotten with it. */
function once<T>(
  keyOf: (generation: Generation) => object,
  make: (generation: Generation) => T,
): (generation: Generation) => T {
  const made = new WeakMap<object, T>();
  return (generation) => {
    const key = keyOf(generation);
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(generation);
    made.set(key, value);
    return value;
  };
}
