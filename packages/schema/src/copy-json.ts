/** Copies plain data; what is neither a list nor a plain object is kept as it is. */
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  return typeof value === "object" && value !== null && isPlain(value) ? copyObject(value) : value;
}

/** Copies an object, and the data in it. */
export function copyObject(object: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(object)) {
    const value = copyJson(inner);
    // Assigning to `__proto__` would set the prototype instead of a property.
    if (key !== "__proto__") copy[key] = value;
    else Object.defineProperty(copy, key, { value, configurable: true, enumerable: true, writable: true });
  }
  return copy;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
