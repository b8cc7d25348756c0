import {
  type Call,
  DecernError,
  type ExplainFeature,
  type Explanation,
  type FeatureHost,
  type FeatureReply,
  type FeatureRequest,
  type FieldExplanation,
  type Flip,
  type JsonSchema,
  toJsonSchema,
} from "@decern/core";
import { checkedOptions, feature, kinds, type OptionsOf, option } from "@decern/core/options";
import { mapSubschemas } from "@decern/core/schema";
import { evaluateCall, jsonSize, outcomeOf, program, runInSlices } from "@decern/core/tools";
import { type Field, fieldsOf, maxSkipped } from "./fields.js";
import { searchGrid } from "./search.js";
import { flipOf, isFlip, type Path, pointerOf, Trials } from "./trials.js";

const rows = {
  /** How many evaluations one request may cost at most. @default 5000 */
  maxEvaluations: option(kinds.wholeNumber, 5000),
} as const;

/** Options of `explain`. */
export interface ExplainOptions extends OptionsOf<typeof rows> {}

/**
 * Shows which change of an input would change the result, at `POST <decision>/explain`. Pass what this returns to `createServer`
 * as `explain`, or to a router or plugin among `features`.
 *
 * @throws DecernError `INVALID_OPTIONS` for unknown or invalid options
 *
 * @example
 * ```ts
 * createServer({ decisions, explain: explain({ maxEvaluations: 2000 }) });
 * ```
 */
export function explain(options: ExplainOptions = {}): ExplainFeature {
  const { maxEvaluations } = checkedOptions("explain", options, rows);
  return {
    [feature]: "explain",
    name: "explain",
    enabled: true,
    routes: (host) => [
      {
        method: "POST",
        path: "/explain",
        ofDecision: true,
        answer: (request) => answerOf(host, request, maxEvaluations),
      },
    ],
  };
}

/** Callers, versions and profiles are those of evaluations. */
async function answerOf(
  host: FeatureHost,
  request: FeatureRequest,
  maxEvaluations: number,
): Promise<FeatureReply> {
  const { call, profileFrom, headers } = await host.callOf(request);
  const explanation = await runInSlices(explainCall(call, maxEvaluations), () => !request.isGone());
  // The client has gone.
  if (explanation === undefined) return { status: 200 };
  const { envelope } = explanation;
  if (envelope.status === "INVALID_PROFILE" && profileFrom === "host") {
    const detail = `the profile that profileResolver returned for decision "${call.decision.id}" breaks its schema`;
    throw new DecernError("INVALID_HOST_PROFILE", { detail });
  }
  const status = envelope.status === "OK" || envelope.status === "NO_MATCH" ? 200 : 400;
  // As an evaluation refuses the call.
  return { status, headers, body: JSON.stringify(status === 200 ? explanation : envelope) };
}

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
    const one = yield* searchField(trials, field, share);
    if (!one.isWhole) skipped.add(pointerOf(field.path));
    if (one.explanation.flips.length > 0) found.push(one);
  }
  found.sort((one, other) => one.distance - other.distance);
  const explained = found.map(({ explanation }) => explanation);
  const rest = skipped.size === 0 ? {} : { skipped: [...skipped].slice(0, maxSkipped) };
  return { envelope, fields: explained, evaluations: trials.spent, complete: skipped.size === 0, ...rest };
}

interface Found {
  readonly explanation: FieldExplanation;
  /** Of the nearest change, as a share of what the field could be. */
  readonly distance: number;
  /** Whether every value that the field could have was tried, or is like one that was. */
  readonly isWhole: boolean;
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
  const isWhole = left >= 0 && (grid === undefined || findings?.bands.exact === true);
  return { explanation, distance: distanceOf(explanation.flips[0], value), isWhole };
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

/** More would only spend the budget. */
const maxNumbers = 60;

/** The different numbers in some values, however deep. Rules compare with those of the profile, and fields with one another. */
function numbersIn(values: readonly unknown[]): readonly number[] {
  const found = new Set<number>();
  let level = values;
  while (level.length > 0 && found.size < maxNumbers) {
    for (const value of level) if (typeof value === "number" && Number.isFinite(value)) found.add(value);
    // Level by level, because the outer ones matter more.
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return [...found].slice(0, maxNumbers);
}

/** The defaults of a schema, which rules see where a profile leaves a member out. */
function defaultsIn(schema: JsonSchema): readonly unknown[] {
  const found: unknown[] = [];
  const visit = (node: JsonSchema): JsonSchema => {
    if ("default" in node) found.push(node["default"]);
    mapSubschemas(node, visit);
    return node;
  };
  visit(schema);
  return found;
}

/** The different texts in a value, however deep, short enough to be a code. Rules compare fields with those of the profile. */
function textsIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  let level = [value];
  while (level.length > 0 && found.size < maxTexts) {
    for (const one of level) if (typeof one === "string" && one.length <= longestText) found.add(one);
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return [...found].slice(0, maxTexts);
}

const maxTexts = 20;

const longestText = 64;
