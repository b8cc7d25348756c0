import { vandalise, wayNames } from "../vandal.js";
import type { Asked, Callback, Origin } from "./driver.js";
import { replyStates } from "./exchange.js";
import { hookSets, never } from "./hooks.js";
import type { Journal } from "./journal.js";
import { logKinds, watcherKinds } from "./settings.js";
import { inputs } from "./world.js";

export const boom = (what: string): never => {
  throw Object.assign(new Error(`fault of ${what}`), { secret: what });
};

export const settings = {
  hooks: Object.keys(hookSets),
  log: logKinds,
  watchers: watcherKinds,
  clock: ["fixed", "broken", "lost"],
} as const;

/** What a request is asked with. */
export const requests = {
  input: Object.keys(inputs),
  reading: ["now", "later", "throws", "rejects", "never"],
  origin: ["known", "unknown", "throws"],
} as const;

export const exchanges = { hands: [true, false], state: replyStates } as const;

export const callbacks = ["none", "look", "write", "throws", "rejects", "never"] as const;

/** How a host chooses profiles. */
export const resolvers = [
  "none",
  "value",
  "undefined",
  "later",
  "bad",
  "throws",
  "rejects",
  "never",
  "named",
  "noName",
] as const;

export const sentProfiles = ["none", "profile", "part", "bad", "null", "deep", "named", "both"] as const;

export function seen<T extends object>(choice: T): string {
  return Object.entries(choice)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(", ");
}

/** @returns what the host was asked, and what it does to its body once it has replied */
export function askedFor(
  { input, reading, origin }: { readonly input: string; readonly reading: string; readonly origin: string },
  journal: Journal,
): Asked & { readonly forget: () => void } {
  const value = inputs[input]?.();
  return {
    forget: () => vandalise(value, ["set"]),
    input: () => {
      journal.note("input");
      if (reading === "throws") boom("inputMapper");
      if (reading === "rejects") return Promise.reject(new Error("fault of a late inputMapper"));
      if (reading === "never") return never;
      return reading === "later" ? Promise.resolve(value) : value;
    },
    origin: () => originFor(origin),
  };
}

export function originFor(origin: string): Origin {
  if (origin === "throws") boom("caller");
  if (origin === "unknown") return { caller: undefined, request: undefined };
  const request = {
    method: "POST",
    path: "/decisions/loan",
    headers: { "x-tenant": "acme" },
    ip: "::1",
    identity: undefined,
  };
  return { caller: "ann", request, traceparent: "00-1af7651916cd43dd8448eb211c80319c-c7ad6b7169203331-01" };
}

export function callbackFor(kind: string, journal: Journal): Callback | undefined {
  if (kind === "none") return undefined;
  return (result) => {
    journal.note("callback", result);
    if (kind === "throws") boom("onResult");
    if (kind === "rejects") return Promise.reject(new Error("fault of a late onResult"));
    if (kind === "never") return never;
    if (kind === "write") vandalise(result, wayNames);
    return undefined;
  };
}

export function resolverFor(kind: string, journal: Journal): ((call?: unknown) => unknown) | undefined {
  if (kind === "none") return undefined;
  return (call) => {
    journal.note("profileResolver", call);
    if (kind === "value") return { max: 3 };
    if (kind === "undefined") return undefined;
    if (kind === "later") return Promise.resolve({ max: 4, tags: ["late"] });
    if (kind === "bad") return { max: "much" };
    if (kind === "throws") boom("profileResolver");
    if (kind === "rejects") return Promise.reject(new Error("fault of a late profileResolver"));
    if (kind === "never") return never;
    const named: unknown = typeof call === "object" && call !== null ? Reflect.get(call, "named") : undefined;
    if (typeof named !== "function") return { max: 5 };
    return named(kind === "named" ? "strict" : "no such name");
  };
}

export function sentFor(kind: string): Asked["sent"] {
  let deep: unknown = 1;
  for (let level = 0; level < 600; level += 1) deep = { max: deep };
  const sent: Readonly<Record<string, Asked["sent"]>> = {
    profile: { profile: { max: 2 } },
    part: { profile: { tags: ["of the caller"], max: null } },
    bad: { profile: { max: "much" } },
    null: { profile: null },
    deep: { profile: deep },
    named: { name: "strict" },
    both: { profile: { max: 7 }, name: "strict" },
  };
  return sent[kind];
}

export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const one of Object.values(value)) frozen(one);
  return Object.freeze(value);
}

/** Lets everything happen that was to happen after a reply. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
