/** Puts values at their paths in a new object. What is `undefined` is left out. */
export function assemble(
  paths: readonly (readonly string[])[],
  values: readonly unknown[],
): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (let index = 0; index < paths.length; index += 1) {
    const value = values[index];
    if (value === undefined) continue;
    const names = paths[index] ?? [];
    let object = whole;
    for (let at = 0; at < names.length - 1; at += 1) {
      const name = names[at] ?? "";
      // Not those that objects inherit, such as `constructor`.
      if (!Object.hasOwn(object, name)) define(object, name, {});
      // Holds: paths that run through one another are refused, so a member on the way is one of these objects.
      object = object[name] as Record<string, unknown>;
    }
    define(object, names[names.length - 1] ?? "", value);
  }
  return whole;
}

/** Assigning to `__proto__` would set the prototype instead of a member. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}
