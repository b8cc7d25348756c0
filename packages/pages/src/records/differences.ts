import { isObject, own, type Path, sameJson, toPointer } from "../json/values.js";
import { metaIn } from "../model/reply.js";
import { Removed } from "../model/trace.js";

/** One place of an outcome, as recorded and as evaluated again. */
export interface Difference {
  readonly name: string;
  /** Undefined where there is no such place. */
  readonly before: unknown;
  readonly after: unknown;
  /** `unknown` where one of them was removed before writing. */
  readonly state: "same" | "changed" | "unknown";
}

/** What came of an evaluation: an envelope, or what a caller is told of a fault. */
export interface Outcome {
  readonly status: string;
  readonly envelope: unknown;
  readonly error: unknown;
}

/** Compares two outcomes, place by place: the verdict, the rule and its reason, then each value of the output. */
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
  for (const part of ["errors", "data"]) addLeaves(places, own(body, part), [part]);
  return places;
}

/** Adds every value that holds no others. */
function addLeaves(places: Map<string, unknown>, value: unknown, path: Path): void {
  const entries = entriesOf(value);
  if (entries.length > 0) for (const [key, item] of entries) addLeaves(places, item, [...path, key]);
  else if (value !== undefined) places.set(toPointer(path), value);
}

function entriesOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (value instanceof Removed) return [];
  if (Array.isArray(value)) return value.map((item, index) => [index, item] as const);
  return isObject(value) ? Object.entries(value) : [];
}
