import { isObject, own, withProperty } from "../model/json.js";
import { pointerTokens } from "../model/pointer.js";

/** A copy of a value with the value at a JSON Pointer replaced, or left out when it is undefined. */
export function withValueAt(root: unknown, pointer: string, value: unknown): unknown {
  return replace(root, pointerTokens(pointer), value);
}

function replace(root: unknown, [token, ...rest]: readonly string[], value: unknown): unknown {
  if (token === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((item, index) => (String(index) === token ? replace(item, rest, value) : item));
  }
  const object = isObject(root) ? root : {};
  return withProperty(object, token, replace(own(object, token), rest, value));
}
