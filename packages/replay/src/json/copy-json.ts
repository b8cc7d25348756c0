/** Copies plain JSON, such as `JSON.parse` returns. */
export function copyJson(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) {
    const list: unknown[] = [];
    for (const item of json) list.push(copyJson(item));
    return list;
  }
  // Properties keep their order, and most are no objects.
  const copy: Record<string, unknown> = { ...json };
  for (const key in copy) {
    const member = copy[key];
    if (typeof member === "object" && member !== null) define(copy, key, copyJson(member));
  }
  return copy;
}

function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
