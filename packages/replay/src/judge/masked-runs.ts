import type { Decision, DecisionRecord } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { isSameJson, withInputView } from "@decern/core/tools";
import { type Evaluation, evaluate } from "./evaluation.js";
import { defaultKey, type InputSchema, readSchema, standInsAt } from "./input-schema.js";
import { copyJson, type MaskedInput, type MaskNode, putAt, type Tokens, valueAt } from "./masks.js";
import type { Plan, Revision } from "./revision.js";

/** Most stand-ins of one place. */
const maxTries = 12;

/** What stands at masked places while an input is validated; `undefined` leaves them as they were recorded. */
type Filling = readonly unknown[] | undefined;

/** Evaluates records whose inputs are masked in part, and notices rules that read masked values. */
export class MaskedRuns {
  readonly #schemas = new WeakMap<object, InputSchema>();
  readonly #decisions = new WeakMap<Decision, WatchedDecision>();

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

  #viewed(decision: Decision): WatchedDecision {
    let viewed = this.#decisions.get(decision);
    if (viewed === undefined) {
      viewed = new WatchedDecision(decision, this.#schemaOf(decision).defaults);
      this.#decisions.set(decision, viewed);
    }
    return viewed;
  }

  *#toTry({ decision, fillings }: WatchedDecision, mask: MaskedInput): Generator<Filling> {
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

/** Observations of one evaluation. */
interface Watch {
  /** The input as it was given to the schema. */
  readonly given: unknown;
  readonly mask: MaskNode;
  /** Whether the input passed its schema, so that rules got it. */
  isValid: boolean;
  /** The first masked place that was read. */
  touched: string | undefined;
  /** Whether rules may see a masked value elsewhere: the schema does not pass its input on as it is. */
  isTransformed: boolean;
}

/** A decision whose rules are watched: do they read masked values? It is made once: compiling takes longer than evaluating. */
class WatchedDecision {
  readonly decision: Decision;
  /** The last valid stand-ins. */
  readonly fillings = new WeakMap<MaskedInput, Filling>();
  readonly #explained: Decision;
  /** Without explanations, so that only what decides can read. */
  readonly #unexplained: Decision;
  #watch: Watch | undefined;

  constructor(decision: Decision, defaults: ReadonlySet<string>) {
    this.decision = decision;
    const view = <Input>(input: Input): Input => {
      const watch = this.#watch;
      if (watch === undefined) return input;
      watch.isValid = true;
      if (!isPassed(watch.given, input, watch.mask, defaults)) watch.isTransformed = true;
      return watched(input, watch.mask, watch);
    };
    this.#explained = withInputView(decision, view);
    this.#unexplained = withInputView(decision, view, false);
  }

  /** The decision for the next evaluation, which must not begin others of it. */
  during(watch: Watch, isExplained: boolean): Decision {
    this.#watch = watch;
    return isExplained ? this.#explained : this.#unexplained;
  }
}

function watchedRun(
  viewed: WatchedDecision,
  revision: Revision,
  record: DecisionRecord,
  given: unknown,
  mask: MaskNode,
  isExplained: boolean,
) {
  const watch: Watch = { given, mask, isValid: false, touched: undefined, isTransformed: false };
  const decision = viewed.during(watch, isExplained);
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

/**
 * Whether a schema passed an input on as it is, apart from masked places: then no masked value has got anywhere else. It may
 * leave out members, and add those for which it has a default.
 */
function isPassed(
  given: unknown,
  passed: unknown,
  mask: MaskNode | undefined,
  defaults: ReadonlySet<string>,
): boolean {
  if (mask?.isMasked === true || given === passed) return true;
  if (typeof passed !== "object" || passed === null || typeof given !== "object" || given === null)
    return isSameJson(passed, given);
  if (Array.isArray(passed)) {
    return (
      Array.isArray(given) &&
      given.length === passed.length &&
      passed.every((item, index) => isPassed(given[index], item, mask?.children.get(`${index}`), defaults))
    );
  }
  const prototype: unknown = Object.getPrototypeOf(passed);
  if (Array.isArray(given) || (prototype !== Object.prototype && prototype !== null)) return false;
  return Object.entries(passed).every(([name, member]) => {
    const inner = mask?.children.get(name);
    if (Object.hasOwn(given, name)) return isPassed(Reflect.get(given, name), member, inner, defaults);
    return inner?.isMasked === true || member === undefined || defaults.has(defaultKey(name, member));
  });
}

/** Watches one level of a value, which is the evaluation's own, and all levels below it that have masked places. */
function watched<Value>(value: Value, node: MaskNode, watch: Watch): Value {
  if (typeof value !== "object" || value === null) return value;
  const masked = new Map<PropertyKey, string>();
  for (const [name, child] of node.children) {
    if (child.isMasked) {
      masked.set(name, child.pointer);
      continue;
    }
    if (!Object.hasOwn(value, name)) continue;
    const isSet = Reflect.set(value, name, watched(Reflect.get(value, name), child, watch));
    if (!isSet) watch.isTransformed = true;
  }
  if (masked.size === 0) return value;
  const look = (name: PropertyKey): void => {
    watch.touched ??= masked.get(name);
  };
  return new Proxy(value, {
    get(target, name) {
      look(name);
      return Reflect.get(target, name);
    },
    has(target, name) {
      look(name);
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      look(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    ownKeys(target) {
      // Listing the members tells whether the masked one is there.
      const [first] = masked.values();
      watch.touched ??= first;
      return Reflect.ownKeys(target);
    },
  });
}
