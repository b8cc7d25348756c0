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
      object[name] ??= {};
      // Holds: paths that run through one another are refused, so a member on the way is one of these objects.
      object = object[name] as Record<string, unknown>;
    }
    object[names[names.length - 1] ?? ""] = value;
  }
  return whole;
}
