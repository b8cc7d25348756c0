/** Deeper data is rare, and its comparison would take more of the stack than is safe. */
const maxDepth = 50;

/**
 * Tells whether two values certainly have the same JSON. Only primitives, arrays and object literals are compared; with
 * anything else in them, such as a date, the answer is `false`.
 */
export function isSameData(one: unknown, other: unknown, depth = 0): boolean {
  if (typeof one !== "object" || one === null) return Object.is(one, other);
  if (depth === maxDepth) return false;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length || "toJSON" in one) return false;
    // `every` would skip holes.
    for (let index = 0; index < one.length; index += 1) {
      if (!isSameData(one[index], other[index], depth + 1)) return false;
    }
    return true;
  }
  if (!isLiteral(one) || !isLiteral(other)) return false;
  for (const key in other) if (!Object.hasOwn(one, key)) return false;
  for (const key in one) {
    if (!Object.hasOwn(other, key) || !isSameData(one[key], other[key], depth + 1)) return false;
  }
  return true;
}

function isLiteral(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !("toJSON" in value)
  );
}
