/**
 * Whether JSON carries a value as `json`, whatever the order of properties.
 *
 * @param json - plain JSON, such as `JSON.parse` returns
 * @returns `undefined` where only writing it tells: a date, an instance of a class, a number that is not finite
 */
export function equalsJson(value: unknown, json: unknown): boolean | undefined {
  if (typeof value === "object") {
    if (value === null) return json === null;
    if ("toJSON" in value) return undefined;
    if (Array.isArray(value)) return equalsList(value, json);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return undefined;
    return equalsObject(value, json);
  }
  // JSON has no negative zero, and `===` has only one zero.
  if (typeof value === "number") return Number.isFinite(value) ? value === json : undefined;
  return typeof value === "string" || typeof value === "boolean" ? value === json : undefined;
}

function equalsList(list: readonly unknown[], json: unknown): boolean | undefined {
  if (!Array.isArray(json) || json.length !== list.length) return false;
  let known: boolean | undefined = true;
  for (let index = 0; index < list.length; index += 1) {
    const same = equalsJson(list[index], json[index]);
    if (same === false) return false;
    if (same === undefined) known = undefined;
  }
  return known;
}

function equalsObject(object: object, json: unknown): boolean | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
  let known: boolean | undefined = true;
  let count = 0;
  for (const key of Object.keys(object)) {
    const member: unknown = Reflect.get(object, key);
    // Left out, as JSON does.
    if (member === undefined) continue;
    count += 1;
    const same = Object.hasOwn(json, key) ? equalsJson(member, Reflect.get(json, key)) : absent(member);
    if (same === false) return false;
    if (same === undefined) known = undefined;
  }
  return count === Object.keys(json).length ? known : known && false;
}

/** JSON leaves functions, symbols and what answers nothing out. */
function absent(member: unknown): false | undefined {
  return equalsJson(member, member) === undefined ? undefined : false;
}
