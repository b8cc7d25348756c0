/** One way to write to an object. Throws if the object cannot be written to. */
const ways: Readonly<Record<string, (target: object) => void>> = {
  set: (target) => {
    for (const key of Reflect.ownKeys(target)) Reflect.set(target, key, opposite(Reflect.get(target, key)));
  },
  delete: (target) => {
    for (const key of Reflect.ownKeys(target)) Reflect.deleteProperty(target, key);
  },
  define: (target) => {
    for (const key of Reflect.ownKeys(target)) {
      Object.defineProperty(target, key, { value: true, configurable: true, enumerable: true });
    }
  },
  add: (target) => {
    for (const key of ["allowed", "status", "toJSON", "then", "0", "statusCode", "message"])
      Reflect.set(target, key, true);
  },
  verdict: (target) => {
    Reflect.set(target, "status", "OK");
    Reflect.set(target, "data", { allowed: true });
    Reflect.set(target, "allowed", true);
  },
  "prototype of null": (target) => void Reflect.setPrototypeOf(target, null),
  "prototype that says yes": (target) => void Reflect.setPrototypeOf(target, { allowed: true, status: "OK" }),
  freeze: (target) => void Object.freeze(target),
  inside: (target) => {
    if (target instanceof Date) target.setTime(0);
    if (target instanceof Map) target.clear();
    if (target instanceof Set) target.add("vandal");
    if (Array.isArray(target)) target.push("vandal");
  },
  empty: (target) => {
    if (Array.isArray(target)) target.length = 0;
    if (target instanceof Map) target.set("vandal", true);
    if (target instanceof Date) target.setFullYear(1999);
  },
};

export const wayNames: readonly string[] = Object.keys(ways);

function opposite(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  return typeof value === "string" ? "OK" : undefined;
}

/**
 * Writes to every object that can be reached from a value, innermost first.
 *
 * @param names - names of the ways to use; each object gets the next one
 */
export function vandalise(value: unknown, names: readonly string[]): void {
  let turn = 0;
  for (const target of reachable(value).reverse()) {
    const way = ways[names[turn % names.length] ?? "set"];
    turn += 1;
    try {
      way?.(target);
    } catch {
      // Protected objects are the goal.
    }
  }
}

/** Every object that can be reached, outermost first. Excludes a decision's schemas, which belong to their vendor. */
export function reachable(value: unknown): object[] {
  const seen = new Set<object>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.shift();
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    if (next instanceof Map) waiting.push(...next.keys(), ...next.values());
    if (next instanceof Set) waiting.push(...next);
    const prototype: unknown = Object.getPrototypeOf(next);
    const inherited =
      prototype === null || Object.getPrototypeOf(prototype) === null
        ? []
        : Object.getOwnPropertyNames(prototype);
    for (const key of [...Reflect.ownKeys(next), ...inherited]) {
      if (typeof key === "string" && /Schema$|^__proto__$|^constructor$/.test(key)) continue;
      waiting.push(Reflect.get(next, key));
    }
  }
  return [...seen];
}
