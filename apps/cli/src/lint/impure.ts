import { isBuiltin } from "node:module";
import type { Kind } from "./source-file.js";

/** What to do instead. */
export const advice: Readonly<Record<Kind, string>> = {
  clock: "read the time from context.now",
  random: "pass the value with the input",
  io: "do it before, in a hook or in the caller, and pass what rules need with the input",
  mutation: "make a new value, and keep no state",
  async: "wait before, in a hook or in the caller: rules are synchronous",
};

/** Globals by their path, which stands for all that is below it. The first that fits counts. */
const globals: readonly (readonly [path: string, kind: Kind])[] = [
  ["Date.now", "clock"],
  ["performance", "clock"],
  ["process.hrtime", "clock"],
  ["process.uptime", "clock"],
  ["Temporal.Now", "clock"],
  ["Math.random", "random"],
  ["crypto.getRandomValues", "random"],
  ["crypto.randomUUID", "random"],
  ...["Bun", "Deno", "EventSource", "WebSocket", "XMLHttpRequest", "console", "document", "fetch"].map(
    (name) => [name, "io"] as const,
  ),
  ...["indexedDB", "localStorage", "navigator", "process", "require", "sessionStorage"].map(
    (name) => [name, "io"] as const,
  ),
  ...["queueMicrotask", "setImmediate", "setInterval", "setTimeout"].map((name) => [name, "async"] as const),
];

/** @param path - such as `["Date", "now"]`, of a name that nothing declares */
export function kindOfGlobal(path: readonly string[]): Kind | undefined {
  const text = path.join(".");
  return globals.find(([start]) => text === start || text.startsWith(`${start}.`))?.[1];
}

/** Modules of Node whose functions only compute. */
const pure = new Set(["assert", "buffer", "path", "querystring", "string_decoder", "url", "util"]);

/** @param path - the imported name and what follows it, such as `["randomUUID"]` */
export function kindOfImport(from: string, path: readonly string[]): Kind | undefined {
  if (!isBuiltin(from)) return undefined;
  const module = from.replace(/^node:/, "").replace(/\/.*$/, "");
  if (pure.has(module)) return undefined;
  if (module === "perf_hooks") return "clock";
  if (module === "timers") return "async";
  if (module !== "crypto") return "io";
  return path.some((name) => /^(random|getRandom|generate|webcrypto$)/.test(name)) ? "random" : undefined;
}

const ofLists = "push pop shift unshift splice sort reverse fill copyWithin".split(" ");
const ofDates = /^set(UTC)?(FullYear|Month|Date|Hours|Minutes|Seconds|Milliseconds|Time)$/;

/** Whether a method changes the list or date that it is called on. */
export function changes(method: string): boolean {
  return ofLists.includes(method) || ofDates.test(method);
}

/** Whether a method changes the map or set that it is called on: other things have methods of these names too. */
export function changesCollection(method: string): boolean {
  return ["add", "set", "delete", "clear"].includes(method);
}

export const collections = ["Map", "Set", "WeakMap", "WeakSet"];

/** Methods that change their first argument. */
export const changesFirst = [
  "Object.assign",
  "Object.defineProperty",
  "Object.defineProperties",
  "Object.setPrototypeOf",
  "Reflect.set",
  "Reflect.defineProperty",
  "Reflect.deleteProperty",
];

/** Methods that return an item of what they are called on. */
export const returnsItem = ["at", "find", "findLast", "get"];

/** The places of parameters that are items, of functions that a method is given, or the whole. */
export function itemParameters(method: string): readonly number[] {
  if (["reduce", "reduceRight"].includes(method)) return [1, 3];
  if (["sort", "toSorted"].includes(method)) return [0, 1];
  const first = [
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flatMap",
    "forEach",
    "map",
    "some",
  ];
  return first.includes(method) ? [0, 2] : [];
}
