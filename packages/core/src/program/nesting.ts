/**
 * Levels of objects and lists that an input or a profile may have. Whatever looks at a value level by level (validators,
 * rules, `JSON.stringify`, `structuredClone`) manages several times as many before the stack ends, also in a small one.
 */
export const maxNesting = 500;

/** More containers than in any body of usual size: the value may contain itself, or share its parts many times over. */
const maxContainers = 1_000_000;

/** Whether a value has more than {@link maxNesting} levels, of plain objects and lists: that is what a caller can send. */
export function isNestedTooDeeply(value: unknown): boolean {
  try {
    if (!isContainer(value) || containersLeft(value, maxNesting, maxContainers) >= 0) return false;
    return hasManyLevels(value);
  } catch {
    // A getter that throws will throw again where the value is needed.
    return false;
  }
}

/**
 * Counts containers down. The answer is negative when there are more levels or containers than that. Written for speed:
 * with `Object.values` it takes five times as long.
 */
function containersLeft(
  value: Readonly<Record<string, unknown>>,
  levels: number,
  containers: number,
): number {
  if (levels === 0) return -1;
  let left = containers - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1) {
      const inner: unknown = value[index];
      if (isContainer(inner)) left = containersLeft(inner, levels - 1, left);
    }
    return left;
  }
  for (const key in value) {
    if (left < 0) break;
    const inner = value[key];
    if (isContainer(inner)) left = containersLeft(inner, levels - 1, left);
  }
  return left;
}

/** Goes through the levels one after another, and through each container once. */
function hasManyLevels(value: Readonly<Record<string, unknown>>): boolean {
  // Those without containers in them lead nowhere.
  const seen = new Set<object>();
  let level = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxNesting) return true;
    const next: Readonly<Record<string, unknown>>[] = [];
    for (const container of level) {
      if (seen.has(container)) continue;
      const before = next.length;
      for (const inner of Object.values(container)) if (isContainer(inner)) next.push(inner);
      if (next.length > before) seen.add(container);
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
