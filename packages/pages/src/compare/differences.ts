import { isObject, sameJson, textOf } from "../model/json.js";
import { toPointer } from "../model/pointer.js";
import { evaluatedRungs, messageOf, metaOf, statusOf, versionOf } from "../model/reply.js";
import type { Run } from "./run.js";

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

/** Compares two runs: the answer and every output, and what else differs. */
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

/** Every value that holds no others, by its JSON Pointer. Nothing at all has none. */
export function leavesOf(root: unknown): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>();
  const visit = (value: unknown, path: readonly string[]): void => {
    const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
    for (const [name, member] of inner) visit(member, [...path, name]);
    if (inner.length === 0 && value !== undefined) leaves.set(toPointer(path), value);
  };
  visit(root, []);
  return leaves;
}

/** How each rule that was reached ended. */
function rungsOf({ reply }: Run): ReadonlyMap<string, unknown> {
  return new Map(
    evaluatedRungs(reply.body).map(({ id, state }) => [id, state === "hit" ? "matched" : "not matched"]),
  );
}
