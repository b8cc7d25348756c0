import { isObject, own, type Path } from "./json.js";

/** Writes a path as JSON Pointer (RFC 6901). */
export function toPointer(path: Path): string {
  return path.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The names and indices in a JSON Pointer. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Reads the value that a JSON Pointer points to. */
export function readPointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of pointerTokens(pointer)) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value)) value = own(value, key);
    else return undefined;
  }
  return value;
}

/** The place one level up; the empty pointer has none. */
export function parentPointer(pointer: string): string | undefined {
  const slash = pointer.lastIndexOf("/");
  return slash < 0 ? undefined : pointer.slice(0, slash);
}
