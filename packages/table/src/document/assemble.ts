/** Puts values at their paths in a new object. What is `undefined` is left out. */
export function assemble(
  paths: readonly (readonly string[])[],
  values: readonly unknown[],
): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (let index = 0; index < paths.length; index += 1) {
    const value = values[index];
    if (value !== undefined) put(whole, paths[index] ?? [], value);
  }
  return whole;
}

function put(whole: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let object = whole;
  const last = path.length - 1;
  for (let at = 0; at < last; at += 1) {
    const name = path[at] ?? "";
    if (!Object.hasOwn(object, name)) define(object, name, {});
    // Holds: paths that run through one another are refused, so a member on the way is one of these objects.
    object = object[name] as Record<string, unknown>;
  }
  define(object, path[last] ?? "", value);
}

/** Assigning to `__proto__` would set the prototype instead of a member. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}
