import { canonicalForm, isSameJson } from "../base/canonical-json.js";
import { DecernError, toErrorReply } from "../base/errors.js";
import { isJsonObject } from "../base/json.js";
import { type Decision, type InputView, program } from "./decision.js";
import type { Outcome } from "./evaluate.js";
import type { Result, ResultStatus } from "./result.js";

/** How a call ended, as callers and records have it: with an envelope, or an error. */
interface ToldOutcome {
  /** As JSON. */
  readonly envelope?: unknown;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** What callers would have seen of an evaluation. */
export function outcomeOf(
  decision: Decision,
  { result, error }: Pick<Outcome, "result" | "error">,
): ToldOutcome {
  if (result === undefined) return { error: toldOf(error) };
  try {
    return { envelope: envelopeOf(decision, result) };
  } catch (cause) {
    // No reply could carry this output.
    return { error: toldOf(new DecernError("EVALUATION_FAILED", { cause })) };
  }
}

/**
 * The envelope as callers read it.
 *
 * @throws for an output that JSON cannot carry: a reply with it would have failed
 */
export function envelopeOf(decision: Decision, result: Result): unknown {
  const envelope: unknown = JSON.parse(decision[program].stringify(result));
  return envelope;
}

/** Compares status, rule and output, or the code of the error. Versions and explanations may differ. */
export function isSameOutcome(one: ToldOutcome, other: ToldOutcome): boolean {
  if (one.error !== undefined || other.error !== undefined) return one.error?.code === other.error?.code;
  const first = essenceOf(one.envelope);
  const second = essenceOf(other.envelope);
  return first.status === second.status && first.rule === second.rule && isSameJson(first.data, second.data);
}

function essenceOf(envelope: unknown): {
  readonly status: unknown;
  readonly rule: unknown;
  readonly data: unknown;
} {
  const { status, data, meta } = isJsonObject(envelope) ? envelope : {};
  return { status, rule: isJsonObject(meta) ? meta["matchedRule"] : undefined, data };
}

function toldOf(error: DecernError | undefined): NonNullable<ToldOutcome["error"]> {
  const { code, message } = toErrorReply(error);
  return { code, message };
}

/** The HTTP status of each envelope. */
export const RESULT_HTTP_STATUS = {
  OK: 200,
  NO_MATCH: 200,
  INVALID_INPUT: 400,
  INVALID_PROFILE: 400,
} as const satisfies Record<ResultStatus, number>;

/** One place of an input, and the masked places below it. */
interface InputMask {
  /** The pointer of the place, with `*` for indexes, so that there are few of them. */
  readonly pointer: string;
  readonly isMasked: boolean;
  readonly children: ReadonlyMap<string, InputMask>;
}

/** What was noticed in one evaluation. */
interface InputWatch {
  /** The input as it was given to the schema. */
  readonly given: unknown;
  readonly mask: InputMask;
  /** Whether the input passed its schema, so that rules got it. */
  isValid: boolean;
  /** The first masked place that a rule read. */
  touched: string | undefined;
  /** Whether rules may see a masked value elsewhere: the schema does not pass its input on as it is. */
  isTransformed: boolean;
}

/** A decision whose rules are watched: do they read masked values? It is made once: compiling takes longer than evaluating. */
export class WatchedDecision {
  readonly #explained: Decision;
  /** Without explanations, so that only what decides can read. */
  readonly #unexplained: Decision;
  #watch: InputWatch | undefined;

  /** @param inputSchema - the decision's, as a JSON Schema: values that a schema fills in were not masked */
  constructor(decision: Decision, inputSchema: unknown) {
    const defaults = new Set<string>();
    collectDefaults(inputSchema, defaults);
    const view: InputView = (input) => {
      const watch = this.#watch;
      if (watch === undefined) return input;
      watch.isValid = true;
      if (!isPassedOn(watch.given, input, watch.mask, defaults)) watch.isTransformed = true;
      return watched(input, watch.mask, watch);
    };
    const seen = (explains: boolean): Decision =>
      Object.freeze({ ...decision, [program]: decision[program].through(view, explains) });
    this.#explained = seen(true);
    this.#unexplained = seen(false);
  }

  /** @param places - names and indexes that lead from the input to each masked place */
  static maskOf(places: readonly (readonly string[])[]): InputMask {
    return maskBelow("/input", places);
  }

  /**
   * The decision for the next evaluation, which must not begin others of it.
   *
   * @param given - the input. It must not be the value that is evaluated: a schema may pass on the very value, and what watches it is put into it
   */
  during(given: unknown, mask: InputMask, explains: boolean): { decision: Decision; watch: InputWatch } {
    const watch: InputWatch = { given, mask, isValid: false, touched: undefined, isTransformed: false };
    this.#watch = watch;
    return { decision: explains ? this.#explained : this.#unexplained, watch };
  }
}

function maskBelow(pointer: string, places: readonly (readonly string[])[]): InputMask {
  const below = new Map<string, (readonly string[])[]>();
  for (const [name, ...rest] of places) {
    if (name !== undefined) below.set(name, [...(below.get(name) ?? []), rest]);
  }
  const children = new Map(
    [...below].map(([name, rest]) => [
      name,
      maskBelow(`${pointer}/${/^\d+$/.test(name) ? "*" : name}`, rest),
    ]),
  );
  return { pointer, isMasked: places.some((tokens) => tokens.length === 0), children };
}

/** Every default of a schema, with the name of its property. */
function collectDefaults(node: unknown, found: Set<string>): void {
  if (typeof node !== "object" || node === null) return;
  for (const [name, member] of Object.entries(node)) {
    if (isJsonObject(member) && "default" in member) found.add(defaultKey(name, member["default"]));
    collectDefaults(member, found);
  }
}

function defaultKey(name: string, value: unknown): string {
  return `${name}\n${canonicalForm(value) ?? "?"}`;
}

/**
 * Whether a schema passed an input on as it is, apart from masked places: then no masked value has got anywhere else. It may
 * leave out members, and add those for which it has a default.
 */
function isPassedOn(
  given: unknown,
  passed: unknown,
  mask: InputMask | undefined,
  defaults: ReadonlySet<string>,
): boolean {
  if (mask?.isMasked === true || given === passed) return true;
  if (typeof passed !== "object" || passed === null || typeof given !== "object" || given === null)
    return isSameJson(passed, given);
  if (Array.isArray(passed)) {
    return (
      Array.isArray(given) &&
      given.length === passed.length &&
      passed.every((item, index) => isPassedOn(given[index], item, mask?.children.get(`${index}`), defaults))
    );
  }
  const prototype: unknown = Object.getPrototypeOf(passed);
  if (Array.isArray(given) || (prototype !== Object.prototype && prototype !== null)) return false;
  return Object.entries(passed).every(([name, member]) => {
    const inner = mask?.children.get(name);
    if (Object.hasOwn(given, name)) return isPassedOn(Reflect.get(given, name), member, inner, defaults);
    return inner?.isMasked === true || member === undefined || defaults.has(defaultKey(name, member));
  });
}

/** Watches one level of a value, which is the evaluation's own, and all levels below it that have masked places. */
function watched<Value>(value: Value, mask: InputMask, watch: InputWatch): Value {
  if (typeof value !== "object" || value === null) return value;
  const masked = new Map<PropertyKey, string>();
  for (const [name, child] of mask.children) {
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
