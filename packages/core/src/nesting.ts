/**
 * Levels of objects and lists that an input or a profile may have. Whatever looks at a value level by level (validators,
 * rules, `JSON.stringify`, `structuredClone`) manages several times as many before the stack ends, also in a small one.
 */
export const maxNesting = 500;

/** Most values are known to be fine after a look that costs next to nothing. */
const few = { levels: 16, containers: 200 };

/** Whether a value has more than {@link maxNesting} levels, of plain objects and lists: that is what a caller can send. */
export function isNestedTooDeeply(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  try {
    return containersWithin(value, few.levels, few.containers) < 0 && hasManyLevels(value);
  } catch {
    // A getter that throws: whoever needs the value meets it again.
    return false;
  }
}

/** Counts containers down. The answer is negative when there are more levels or containers than that. */
function containersWithin(value: object, levels: number, containers: number): number {
  let left = containers - 1;
  if (levels === 0) return -1;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner !== "object" || inner === null) continue;
    if (left < 0) break;
    left = containersWithin(inner, levels - 1, left);
  }
  return left;
}

/** Goes through the levels one after another, which needs no stack. */
function hasManyLevels(value: object): boolean {
  // Values of the host's own code may contain themselves. Those without containers in them lead nowhere.
  const seen = new Set<object>();
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxNesting) return true;
    const next: object[] = [];
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

function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
