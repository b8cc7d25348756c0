/**
 * Freezes a value and everything in it, so that what is shared by many evaluations cannot be changed by one. What is frozen
 * outside is looked into all the same; getters are not called.
 *
 * @param seen - what is left as it is
 * @returns whether nothing in it can change any more: no freezing keeps a date, a map, a set or bytes from changing
 */
export function deepFreeze(value: unknown, seen = new Set<object>()): boolean {
  const waiting: unknown[] = [value];
  let isConstant = true;
  while (waiting.length > 0) {
    const next = waiting.pop();
    if ((typeof next !== "object" && typeof next !== "function") || next === null || seen.has(next)) continue;
    seen.add(next);
    // A function belongs to its author, with everything behind it.
    if (typeof next === "function") continue;
    if (ArrayBuffer.isView(next)) {
      isConstant = false;
      continue;
    }
    if (hasSlots(next)) isConstant = false;
    if (next instanceof Map) waiting.push(...next.keys(), ...next.values());
    if (next instanceof Set) waiting.push(...next);
    Object.freeze(next);
    for (const key of Reflect.ownKeys(next)) waiting.push(Object.getOwnPropertyDescriptor(next, key)?.value);
  }
  return isConstant;
}

/** Keeps what it holds elsewhere than in its properties. */
function hasSlots(value: object): boolean {
  return (
    value instanceof Date || value instanceof Map || value instanceof Set || value instanceof ArrayBuffer
  );
}
