import type { Run } from "../values/run.js";
import { type FeelContext, type FeelList, type FeelValue, isContext, isList } from "../values/value.js";
import { builtIn, overload } from "./define.js";

const key = "key";
const value = "value";

/** @returns undefined unless each item is a context with a key and a value, and no key is there twice */
function contextOf(entries: FeelList): FeelContext | undefined {
  const context = new Map<string, FeelValue>();
  for (const entry of entries) {
    const name = isContext(entry) ? entry.get(key) : undefined;
    const item = isContext(entry) ? entry.get(value) : undefined;
    if (typeof name !== "string" || item === undefined || context.has(name)) return undefined;
    context.set(name, item);
  }
  return context;
}

function put(context: FeelContext, name: string, item: FeelValue, run: Run): FeelContext {
  run.listLength(context.size + 1);
  return new Map(context).set(name, item);
}

/** Along a path of keys. */
function putAt(context: FeelContext, keys: FeelList, item: FeelValue, run: Run): FeelContext | undefined {
  const [name, ...rest] = keys;
  if (typeof name !== "string") return undefined;
  if (rest.length === 0) return put(context, name, item, run);
  const inner = context.get(name);
  const changed = isContext(inner) ? putAt(inner, rest, item, run) : undefined;
  return changed === undefined ? undefined : put(context, name, changed, run);
}

function valueAt(context: FeelContext, keys: FeelList): FeelValue | undefined {
  let at: FeelValue = context;
  for (const name of keys) {
    const inner: FeelValue | undefined = isContext(at) && typeof name === "string" ? at.get(name) : undefined;
    if (inner === undefined) return undefined;
    at = inner;
  }
  return keys.length === 0 ? undefined : at;
}

export const contextFunctions = [
  builtIn(
    "get value",
    "any",
    overload(
      [
        ["m", "context"],
        ["key", "string"],
      ],
      ([context, name]) => context.get(name),
    ),
    overload(
      [
        ["context", "context"],
        ["keys", "list"],
      ],
      ([context, keys]) => valueAt(context, keys),
    ),
  ),
  builtIn(
    "get entries",
    "list",
    overload([["m", "context"]], ([context], run) => {
      run.listLength(context.size);
      return [...context].map(
        ([name, item]): FeelContext =>
          new Map<string, FeelValue>([
            [key, name],
            [value, item],
          ]),
      );
    }),
  ),
  builtIn(
    "context",
    "context",
    overload([["entries", "list"]], ([entries], run) => contextOf(run.list(entries))),
  ),
  builtIn(
    "context put",
    "context",
    overload(
      [
        ["context", "context"],
        ["key", "string"],
        ["value", "any"],
      ],
      ([context, name, item], run) => put(context, name, item, run),
    ),
    overload(
      [
        ["context", "context"],
        ["keys", "list"],
        ["value", "any"],
      ],
      ([context, keys, item], run) =>
        keys.length === 0 || !isList(keys) ? undefined : putAt(context, keys, item, run),
    ),
  ),
  builtIn(
    "context merge",
    "context",
    overload([["contexts", "list"]], ([contexts], run) => {
      const merged = new Map<string, FeelValue>();
      for (const context of contexts) {
        if (!isContext(context)) return undefined;
        for (const [name, item] of context) merged.set(name, item);
        run.listLength(merged.size);
      }
      return merged;
    }),
  ),
];
