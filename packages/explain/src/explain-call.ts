import type { Call, Explanation, FieldExplanation, Flip } from "@decern/core";
import { toJsonSchema } from "@decern/core";
import { evaluateCall, jsonSize, outcomeOf, program } from "@decern/core/tools";
import { type Field, fieldsOf } from "./fields.js";
import { defaultsIn, numbersIn, textsIn } from "./hints.js";
import { searchGrid } from "./search.js";
import { flipOf, isFlip, type Path, pointerOf, Trials } from "./trials.js";

/** So much is evaluated for one call, in bytes of its input and profile: with 3 KiB, some 5,000 evaluations. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Finds what would change the result of a call. No hook runs, and nothing is counted or recorded. It yields after each
 * evaluation, so that its caller can do something else in between, or stop.
 *
 * @param maxEvaluations - at least one, for the call as it is. Fewer where its input and profile are so large that all
 *   evaluations together would read more than 16 MiB
 * @returns no fields for a call that is refused
 * @throws DecernError `EVALUATION_FAILED` when the call as it is fails
 */
export function* explainCall(call: Call, maxEvaluations: number): Generator<void, Explanation> {
  const { decision } = call;
  const original = evaluateCall(call);
  if (original.error !== undefined) throw original.error;
  const envelope = original.result;
  const outcome = outcomeOf(decision, original);
  if (envelope.status !== "OK" && envelope.status !== "NO_MATCH")
    return { envelope, fields: [], evaluations: 1, complete: true };
  const affordable = Math.ceil(maxBytes / (jsonSize(call.input) + jsonSize(call.profile)));
  const trials = new Trials(call, outcome, Math.min(maxEvaluations, affordable));
  yield;
  const hints = {
    numbers: numbersIn([original.profile, call.input]),
    texts: textsIn([original.profile, defaultsIn(toJsonSchema(decision.profileSchema))]),
    thresholds: new Map(
      decision[program].boundLogic?.(original.profile)?.thresholds.map((one) => [one.path, one] as const),
    ),
    keeps: (path: Path, value: unknown) => trials.keeps(path, value),
  };
  const { fields, open } = fieldsOf(call.input, toJsonSchema(decision.inputSchema), hints);
  const skipped = new Set(open.map(pointerOf));
  // What takes few evaluations first: then it is known how much is left for the rest.
  const waiting = [...fields].sort((one, other) => sizeOf(one) - sizeOf(other));
  const found: Found[] = [];
  for (const [index, field] of waiting.entries()) {
    const share = Math.floor(trials.left / (waiting.length - index));
    if (share <= field.others.length) skipped.add(pointerOf(field.path));
    const one = yield* searchField(trials, field, share);
    if (one.explanation.flips.length > 0) found.push(one);
  }
  found.sort((one, other) => one.distance - other.distance);
  const explained = found.map(({ explanation }) => explanation);
  const rest = skipped.size === 0 ? {} : { skipped: [...skipped].slice(0, maxSkipped) };
  return { envelope, fields: explained, evaluations: trials.spent, complete: skipped.size === 0, ...rest };
}

/** More would only be counted. */
const maxSkipped = 100;

interface Found {
  readonly explanation: FieldExplanation;
  /** Of the nearest change, as a share of what the field could be. */
  readonly distance: number;
}

function sizeOf({ others, grid }: Field): number {
  if (grid === undefined) return others.length;
  return others.length + (grid.parts === undefined ? grid.highest - grid.lowest : 2 * grid.parts.length);
}

function* searchField(
  trials: Trials,
  { path, value, others, grid }: Field,
  share: number,
): Generator<void, Found> {
  const rest: Flip[] = [];
  for (const other of nearestFirst(others, value).slice(0, share)) {
    const answer = trials.evaluate(path, other);
    if (isFlip(answer)) rest.push(flipOf(other, answer, true));
    yield;
  }
  const left = share - others.length;
  const findings = grid === undefined || left <= 0 ? undefined : yield* searchGrid(trials, path, grid, left);
  const explanation = {
    path: pointerOf(path),
    ...(value === undefined ? {} : { value }),
    flips: [...(findings?.flips ?? []), ...rest],
    ...(findings === undefined ? {} : { bands: findings.bands }),
  };
  return { explanation, distance: distanceOf(explanation.flips[0], value) };
}

/** Numbers have a distance. Nothing else has. */
function nearestFirst(others: readonly unknown[], value: unknown): readonly unknown[] {
  const distance = (other: unknown): number =>
    typeof other === "number" && typeof value === "number" ? Math.abs(other - value) : Number.MAX_VALUE;
  return [...others].sort((one, other) => distance(one) - distance(other));
}

/** How far a value is from another: of numbers, the difference as a share of the larger one; of all else, 1. */
function distanceOf(flip: Flip | undefined, value: unknown): number {
  const to = flip?.to;
  if (typeof to !== "number" || typeof value !== "number") return 1;
  return Math.abs(to - value) / Math.max(Math.abs(to), Math.abs(value));
}
