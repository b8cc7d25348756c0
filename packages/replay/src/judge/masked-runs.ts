import type { Decision, DecisionRecord } from "@decern/core";
import { copyJson, isJsonObject } from "@decern/core/schema";
import { WatchedDecision } from "@decern/core/tools";
import { type Evaluation, evaluate } from "./evaluation.js";
import {
  type InputSchema,
  type MaskedInput,
  putAt,
  readSchema,
  standInsAt,
  type Tokens,
  valueAt,
} from "./masks.js";
import type { Plan, Revision } from "./revision.js";

/** Most stand-ins of one place. */
const maxTries = 12;

/** What stands at masked places while an input is validated; `undefined` leaves them as they were recorded. */
type Filling = readonly unknown[] | undefined;

/** A decision with the last valid stand-ins of each input's masks. */
interface Viewed {
  readonly decision: Decision;
  readonly watched: WatchedDecision;
  readonly fillings: WeakMap<MaskedInput, Filling>;
}

/** Evaluates records whose inputs are masked in part, and notices rules that read masked values. */
export class MaskedRuns {
  readonly #schemas = new WeakMap<object, InputSchema>();
  readonly #decisions = new WeakMap<Decision, Viewed>();

  /** Why no record with a masked input can be compared; `undefined` if it can. */
  obstacle({ candidate, recorded }: Plan): string | undefined {
    if (recorded === undefined) return "whether its masked input is valid is not known";
    const [one, other] = [recorded, candidate.decision].map((decision) => this.#schemaOf(decision).text);
    const isSame =
      recorded.inputSchema === candidate.decision.inputSchema || (one !== undefined && one === other);
    return isSame ? undefined : "its input was masked, and the candidate has a different input schema";
  }

  /** @returns the evaluation, or a reason if it depends on masked values */
  run(revision: Revision, record: DecisionRecord, input: unknown, mask: MaskedInput): Evaluation | string {
    const viewed = this.#viewed(revision.decision);
    for (const filling of this.#toTry(viewed, mask)) {
      const given = filled(input, mask.places, filling);
      let run = watchedRun(viewed, revision, record, given, mask, true);
      // Only an explanation, which decides nothing, may read it.
      if (run.watch.touched !== undefined) run = watchedRun(viewed, revision, record, given, mask, false);
      const { isValid, touched, isTransformed } = run.watch;
      if (!isValid) continue;
      viewed.fillings.set(mask, filling);
      if (touched !== undefined) return `a rule looks at ${touched}, which was masked`;
      if (isTransformed) return "its input was masked, and the schema transforms it";
      return run.hasFailed ? "its input was masked, and its evaluation fails" : run.evaluation;
    }
    return "nothing that stands for what was masked is valid";
  }

  #viewed(decision: Decision): Viewed {
    let viewed = this.#decisions.get(decision);
    if (viewed === undefined) {
      const watched = new WatchedDecision(decision, this.#schemaOf(decision).json);
      viewed = { decision, watched, fillings: new WeakMap() };
      this.#decisions.set(decision, viewed);
    }
    return viewed;
  }

  *#toTry({ decision, fillings }: Viewed, mask: MaskedInput): Generator<Filling> {
    if (fillings.has(mask)) yield fillings.get(mask);
    yield undefined;
    const { json } = this.#schemaOf(decision);
    const choices = mask.places.map((tokens) => [
      ...standInsAt(json, tokens),
      ...examplesAt(decision, tokens),
    ]);
    for (let round = 0; round < maxTries; round += 1)
      yield choices.map((list) => list[round % Math.max(1, list.length)]);
  }

  #schemaOf({ inputSchema }: Decision): InputSchema {
    const known = this.#schemas.get(inputSchema);
    if (known !== undefined) return known;
    const read = readSchema(inputSchema);
    this.#schemas.set(inputSchema, read);
    return read;
  }
}

function watchedRun(
  { watched }: Viewed,
  revision: Revision,
  record: DecisionRecord,
  given: unknown,
  mask: MaskedInput,
  isExplained: boolean,
) {
  const { decision, watch } = watched.during(given, mask, isExplained);
  const { profile, profiles } = revision;
  const evaluation = evaluate({ decision, profile, profiles }, record, given, isExplained);
  // Before `watch` is read: writing the output may read masked places too.
  const hasFailed = evaluation.ending.error !== undefined;
  return { watch, evaluation, hasFailed };
}

function filled(input: unknown, places: readonly Tokens[], filling: Filling): unknown {
  const copy = copyJson(input);
  for (const [index, tokens] of places.entries()) {
    const value = filling?.[index];
    if (value !== undefined) putAt(copy, tokens, copyJson(value));
  }
  return copy;
}

/** What the examples of a decision have at a place. */
function examplesAt({ meta }: Decision, tokens: Tokens): readonly unknown[] {
  const examples: unknown = meta?.["examples"];
  if (!Array.isArray(examples)) return [];
  return examples
    .slice(0, 3)
    .map((example: unknown) => (isJsonObject(example) ? valueAt(example["input"], tokens) : undefined))
    .filter((value) => value !== undefined);
}
