/** Copies plain data deeply. Other objects, such as a `Date`, stay the same object. */
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  return typeof value === "object" && value !== null && isCopied(value) ? copyObject(value) : value;
}

/** Copies an object and the data in it. Keeps its prototype. */
export function copyObject(object: object): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(object);
  const copy: Record<string, unknown> = {};
  if (typeof prototype === "object" && prototype !== Object.prototype) Object.setPrototypeOf(copy, prototype);
  for (const [key, inner] of Object.entries(object)) {
    const value = copyJson(inner);
    // Assigning to `__proto__` would set the prototype instead of a property.
    if (key !== "__proto__") copy[key] = value;
    else Object.defineProperty(copy, key, { value, configurable: true, enumerable: true, writable: true });
  }
  return copy;
}

function isCopied(value: object): boolean {
  return Object.prototype.toString.call(value) === "[object Object]";
}
