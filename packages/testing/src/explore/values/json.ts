import { escapePointer, isJsonObject } from "@decern/core/schema";

/** Names of members and indices of items, from the root. */
export type Path = readonly (string | number)[];

/** Stands for a member or an item that is left out. */
export const absent: unique symbol = Symbol("absent");

/** @returns `absent` where there is nothing */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (Array.isArray(value) && typeof key === "number" && key < value.length) value = value[key];
    else if (isJsonObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return absent;
  }
  return value;
}

/** A copy with another value in one place; `absent` removes it. Everything outside the way to that place is shared. */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(root)) {
    const items: readonly unknown[] = root;
    if (rest.length === 0 && value === absent) return items.filter((_item, index) => index !== key);
    const index = Number(key);
    const copy = items.slice();
    copy[index] = withValue(items[index], rest, value);
    return copy;
  }
  if (!isJsonObject(root)) return root;
  if (rest.length === 0 && value === absent)
    return Object.fromEntries(Object.entries(root).filter(([name]) => name !== key));
  return { ...root, [key]: withValue(Object.hasOwn(root, key) ? root[key] : {}, rest, value) };
}

/** The same for every item of a list. */
export function patternOf(path: Path): string {
  return path.map((key) => (typeof key === "number" ? "/*" : `/${escapePointer(key)}`)).join("");
}

export function pointerOf(path: Path): string {
  return path.map((key) => `/${escapePointer(String(key))}`).join("");
}
