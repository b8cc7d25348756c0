import { isObject, own, sameJson } from "../json/values.js";
import { metaIn } from "../model/reply.js";
import { leavesOf, Removed } from "../model/trace.js";

/** One place of an outcome, as recorded and as evaluated again. */
export interface Difference {
  readonly name: string;
  /** Undefined where there is no such place. */
  readonly before: unknown;
  readonly after: unknown;
  /** `unknown` where one of them was removed before writing. */
  readonly state: "same" | "changed" | "unknown";
}

/** What came of an evaluation: an envelope, or what a caller sees of an error. */
export interface Outcome {
  readonly status: string;
  readonly envelope: unknown;
  readonly error: unknown;
}

/** Compares two outcomes, place by place: the result, the rule and its reason, then each value of the output. */
export function differencesOf(before: Outcome, after: Outcome): readonly Difference[] {
  const [left, right] = [placesOf(before), placesOf(after)];
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].map((name) => compare(name, left.get(name), right.get(name)));
}

function compare(name: string, before: unknown, after: unknown): Difference {
  if (before instanceof Removed || after instanceof Removed) return { name, before, after, state: "unknown" };
  return { name, before, after, state: sameJson(before, after) ? "same" : "changed" };
}

function placesOf({ status, envelope, error }: Outcome): ReadonlyMap<string, unknown> {
  const places = new Map<string, unknown>([["Outcome", status]]);
  const told = isObject(error) ? error : {};
  const body = isObject(envelope) ? envelope : told;
  const meta = metaIn(envelope);
  places.set("Rule", own(meta, "matchedRule"));
  places.set("Reason", own(meta, "explanation") ?? own(body, "message"));
  const code = own(told, "code");
  if (code !== undefined) places.set("Error", code);
  const leaves = ["errors", "data"].flatMap((part) => [...leavesOf(own(body, part), [part])]);
  return new Map([...places, ...leaves]);
}
