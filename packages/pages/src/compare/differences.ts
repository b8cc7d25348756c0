import { isObject, sameJson, textOf } from "../json/values.js";
import type { SharedCall } from "../model/call.js";
import type { DocsDecision } from "../model/data.js";
import { evaluatedRungs, messageOf, metaOf, type Reply, statusOf, versionOf } from "../model/reply.js";
import { leavesOf } from "../model/trace.js";

/** A call and its result, to be compared with another. */
export interface Run {
  readonly call: SharedCall;
  readonly reply: Reply;
}

/** What the call in the form is compared with: a pinned run, or the same call under another version or profile. */
export type Rival =
  | { readonly kind: "pinned" }
  | { readonly kind: "version"; readonly version: string }
  /** Without a name, the default profile. */
  | { readonly kind: "profile"; readonly name: string | undefined };

/** What can be chosen, each with its label. The keys are for a menu. */
export function rivalsOf(
  { version, versions, namedProfiles }: Pick<DocsDecision, "version" | "versions" | "namedProfiles">,
  hasPinned: boolean,
): ReadonlyMap<string, { readonly label: string; readonly rival: Rival }> {
  const rivals = new Map<string, { readonly label: string; readonly rival: Rival }>();
  if (hasPinned) rivals.set("pinned", { label: "The pinned outcome", rival: { kind: "pinned" } });
  for (const other of versions) {
    if (other.version === version) continue;
    const rival = { kind: "version", version: other.version } as const;
    rivals.set(`version ${other.version}`, { label: `Version ${other.version}`, rival });
  }
  if (namedProfiles.length > 0)
    rivals.set("default", { label: "Default profile", rival: { kind: "profile", name: undefined } });
  for (const { name } of namedProfiles) {
    rivals.set(`profile ${name}`, { label: `Profile ${name}`, rival: { kind: "profile", name } });
  }
  return rivals;
}

/** The same call for a rival. Another profile of the host replaces the caller's own. */
export function callFor(rival: Rival, call: SharedCall): SharedCall {
  if (rival.kind !== "profile") return call;
  return rival.name === undefined ? { input: call.input } : { input: call.input, profileName: rival.name };
}

/** One line of a comparison. */
export interface Difference {
  readonly part: "answer" | "output" | "input" | "profile" | "rule";
  /** A JSON Pointer, the id of a rule, or what the line is about. */
  readonly name: string;
  /** Undefined where a side has none. */
  readonly left: unknown;
  readonly right: unknown;
  readonly differs: boolean;
}

/** Compares two runs: the result and every output, and what else differs. */
export function differencesOf(left: Run, right: Run): readonly Difference[] {
  const line = (part: Difference["part"], name: string, of: (run: Run) => unknown): Difference => {
    const [one, other] = [of(left), of(right)];
    return { part, name, left: one, right: other, differs: !sameJson(one, other) };
  };
  const lines = (part: Difference["part"], of: (run: Run) => ReadonlyMap<string, unknown>): Difference[] => {
    const [one, other] = [of(left), of(right)];
    const names = new Set([...one.keys(), ...other.keys()]);
    return [...names].map((name) => line(part, name, (run) => (run === left ? one : other).get(name)));
  };
  const always = [
    line("answer", "Status", ({ reply }) => statusOf(reply)),
    line("answer", "Rule", ({ reply }) => textOf(metaOf(reply), "matchedRule")),
    ...lines("output", ({ reply }) => leavesOf(isObject(reply.body) ? reply.body["data"] : undefined)),
  ];
  const ifDifferent = [
    line("answer", "Version", ({ reply }) => versionOf(reply)),
    line("answer", "Reason", ({ reply }) => textOf(metaOf(reply), "explanation") ?? messageOf(reply)),
    line("answer", "Profile name", ({ call }) => call.profileName),
    ...lines("input", ({ call }) => leavesOf(call.input)),
    ...lines("profile", ({ call }) => leavesOf(call.profile)),
    ...lines("rule", rungsOf),
  ].filter(({ differs }) => differs);
  return [...always, ...ifDifferent];
}

/** How each rule that was reached ended. */
function rungsOf({ reply }: Run): ReadonlyMap<string, unknown> {
  return new Map(
    evaluatedRungs(reply.body).map(({ id, state }) => [id, state === "hit" ? "matched" : "not matched"]),
  );
}
