/** Copies plain data; what is neither a list nor a plain object is kept as it is. */
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    // Assigning to `__proto__` would set the prototype instead of a property.
    if (key === "__proto__") {
      Object.defineProperty(copy, key, {
        value: copyJson(inner),
        configurable: true,
        enumerable: true,
        writable: true,
      });
    } else copy[key] = copyJson(inner);
  }
  return copy;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
