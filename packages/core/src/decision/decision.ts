import type { JsonSchema } from "../base/json-schema.js";
import type {
  BoundLogic,
  InputFor,
  Logic,
  LogicContent,
  LogicDecision,
  ProfileInput,
  Schema,
} from "./ports.js";
import type { Probed, Result } from "./result.js";

/**
 * The number of the protocol between a decision and what evaluates it: raised when {@link Program}, or what it is called with,
 * changes incompatibly.
 */
const protocol = 1;

const seal = "decern.program@";

/**
 * The key under which `defineDecision` seals what evaluates a decision. The same across copies of this package that have the same
 * protocol: the program of a copy with a different one is never called.
 */
export const program: unique symbol = Symbol.for(`${seal}${protocol}`);

/**
 * A decision, made by `defineDecision` and by nothing else. Its type parameters occur covariantly only, so that every
 * decision is a `Decision`, and a list of different ones needs no cast.
 *
 * @typeParam Input - what a caller sends
 * @typeParam Output - `data` of the result
 * @typeParam Profile - what a host or caller gives as profile
 * @typeParam RuleId - ids of the rules, where they are written in place
 */
export interface Decision<
  Input = unknown,
  Output = unknown,
  Profile = unknown,
  Id extends string = string,
  RuleId extends string = string,
  Version extends string = string,
> {
  readonly id: Id;
  readonly version: Version;
  readonly description?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly inputSchema: Schema<Input, unknown>;
  readonly outputSchema: Schema<unknown, Output>;
  readonly profileSchema: Schema<Profile, unknown>;
  /** Ids of the rules, in order. */
  readonly ruleIds: readonly RuleId[];
  /** The description of each rule that has one, by rule id. */
  readonly ruleDescriptions: ReadonlyMap<string, string>;
  /** The decisions that its rules evaluate with `context.evaluate`. */
  readonly uses: readonly Decision[];
  /**
   * Only of a decision of `logic`: `sha256:` and 64 hexadecimal digits, over the canonical JSON of the document that it was made
   * from.
   */
  readonly contentHash?: string;
  readonly [program]: Program<Output>;
}

/**
 * Passed to rules as their third argument.
 *
 * @typeParam Used - ids of the decisions in `uses`
 */
export interface RuleContext<Used extends string = never> {
  /** The instant of `meta.evaluatedAt`. */
  readonly now: Date;
  readonly requestId: string;
  /** Who asked, as the host's `authenticate` or `caller` says; absent without a caller. */
  readonly caller: string | undefined;
  /**
   * Evaluates a decision of `uses` at the same instant, with the same request id, and with the host's profile for it. Equal
   * inputs are evaluated once: `explain` gets the same result as `when`, in a copy of its own.
   *
   * @throws DecernError `EVALUATION_FAILED` when that decision fails, or `uses` does not list it
   * @throws DecernError `INVALID_HOST_PROFILE` when the host's profile for that decision breaks its schema
   */
  evaluate<Input, Output, Given, RuleId extends string>(
    decision: Decision<Input, Output, unknown, Used, RuleId>,
    input: InputFor<NoInfer<Input>, Given>,
  ): Result<Output, RuleId>;
}

/** One decision's call of another decision. */
export interface UsedCall {
  readonly input: unknown;
  /** Identifies the evaluation within which equal inputs are evaluated once. */
  readonly evaluation: object;
  /** Called for an input that was not evaluated yet. It may throw: the call then failed. */
  within<Output>(evaluate: UsedCallStep<Output>): Result<Output>;
}

/** Evaluates an input of a decision that is used. */
type UsedCallStep<Output> = (input: unknown, profile: unknown, scope: EvaluationScope) => Result<Output>;

/** The profiles that a host has for the decisions that its decisions use. */
export interface ProfileLookup {
  /** `undefined` takes the decision's own default. */
  profileOf(decision: Decision): unknown;
  /** The name of the set that these profiles are, if a source gave one. */
  readonly profileRevision?: string | undefined;
  /** The name of the set of decisions that they belong to, if a source gave one. */
  readonly decisionRevision?: string | undefined;
}

/** One decision that another decision evaluated. */
export interface UsedEvaluation {
  readonly decision: Decision;
  readonly input: unknown;
  /** The host's, or the decision's own default. */
  readonly profile: unknown;
  readonly result: Result;
  /** What it used itself, in order. */
  readonly used: readonly UsedEvaluation[];
}

/** The context of one evaluation, as programs need it. */
export interface EvaluationScope extends RuleContext<string> {
  /** Milliseconds since the Unix epoch. */
  readonly epochMs: number;
  /** Set by a program of `logic`. */
  parts: LogicDecision["parts"];
}

/** What a decision's definition was compiled to. Covariant in its output, and silent about input and profile. */
export interface Program<Output = unknown> {
  /** What hooks see when no profile is given. */
  readonly boundProfile: unknown;
  /** How many levels of decisions this one is: 1 when it uses no other. */
  readonly levels: number;
  /** Evaluates once. A `profile` of `undefined` takes the bound one, else `{}`. Throws a `DecernError` on an error. */
  evaluate(input: unknown, profile: unknown, scope: EvaluationScope): Result<Output>;
  /** As `evaluate`, for a decision that uses this one: equal inputs are evaluated once in one evaluation. */
  evaluateUsed(call: UsedCall): Result<Output>;
  /** Refuses an input or a profile that has too many levels, before anything looks into it. */
  refuseNesting(input: unknown, profile: unknown, scope: EvaluationScope): Result<never> | undefined;
  /** The envelope as JSON text, equal to `JSON.stringify(result)`; `result` must come from this program. */
  stringify(result: Result): string;
  /** The envelope as canonical JSON (RFC 8785) of what `stringify` writes; `undefined` where there is none. */
  canonicalText(result: Result): string | undefined;
  /** This program with `profile` validated, copied and frozen once. Throws `INVALID_OPTIONS` when it breaks its schema. */
  bind(profile: unknown): Program<Output>;
  /** Validates and freezes a profile once that many calls share. It must not be changed. Never throws. */
  share(profile: unknown): void;
  /**
   * This program with `view` between the validation of an input and the rules.
   *
   * @param explains - whether rules are asked for an explanation
   */
  through(view: InputView, explains: boolean): Program<Output>;
  /** Tries every rule, not only those up to the first match. Throws a `DecernError` when a schema fails. */
  probe(input: unknown, profile: unknown, scope: EvaluationScope): Probed;
  /** The source text of the rules' functions, where tools look for the values that rules compare with. */
  readonly ruleTexts: readonly string[];
  /** Only of `logic`: the document that it was made from. */
  readonly content?: LogicContent | undefined;
  /** Only of `logic`: the same of another document; `undefined` where it cannot be made. It throws for one that does not fit. */
  from?(document: unknown): Logic | undefined;
  /**
   * Only of `logic`: what it is under a profile, for tools.
   *
   * @param profile - `undefined` takes the bound one
   * @returns `undefined` for a profile that breaks its schema
   */
  boundLogic?(profile?: unknown): BoundLogic | undefined;
}

/** Returns what rules see in place of an input that has passed validation. */
export type InputView = <Input>(input: Input) => Input;

/** Whether `defineDecision` made a value, in a copy of this package with the same protocol. */
export function isDecision(value: unknown): value is Decision {
  return typeof value === "object" && value !== null && program in value;
}

/** Why {@link isDecision} does not hold, to go behind what names the value. */
export function whyNoDecision(value: unknown): string {
  const theirs = Object.getOwnPropertySymbols(Object(value))
    .map((symbol) => Symbol.keyFor(symbol))
    .find((key) => key?.startsWith(seal));
  if (theirs === undefined) return "is not a decision; make it with defineDecision";
  return `was defined by an incompatible version of @decern/core (protocol ${theirs.slice(seal.length)}, expected ${protocol}); install one version, and find others with "npm ls @decern/core"`;
}

/** What a decision takes as input. */
export type InputOf<D extends Decision> = D extends Decision<infer Input> ? Input : never;

/** What a decision returns as `data`. */
export type OutputOf<D extends Decision> = D extends Decision<unknown, infer Output> ? Output : never;

/** What the profile of a decision looks like. */
export type ProfileOf<D extends Decision> =
  D extends Decision<unknown, unknown, infer Profile> ? Profile : never;

/** The three schemas of a decision, as a decision itself and an object to spread into a definition have them. */
export interface DecisionSchemas {
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly profileSchema: Schema;
}

/** A decision that {@link withProfile} gave a profile. */
export interface HasProfile {
  readonly [program]: { readonly boundProfile: NonNullable<unknown> };
}

/** A decision and, where its type tells, everything that it uses. */
export type WithUsed<D extends Decision> =
  | D
  | (D extends { readonly uses: infer Uses extends readonly Decision[] }
      ? number extends Uses["length"]
        ? never
        : WithUsed<Uses[number]>
      : never);

/**
 * Profiles by decision id, each typed by its decision: `id` for every version, `id@version` for one of them, each with `#name`
 * for a profile that is used only where it is named. Decisions that are used by others have theirs here too.
 */
export type ProfilesOf<Decisions extends readonly Decision[]> = {
  readonly [D in WithUsed<Decisions[number]> as D["id"] | `${D["id"]}@${string}` | `${D["id"]}#${string}`]?:
    | ProfileInput<ProfileOf<D>>
    | undefined;
};

/** A decision as a listing shows it. */
export interface DecisionInfo {
  readonly id: string;
  readonly version: string;
  readonly description?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Only of a decision of `logic`. */
  readonly contentHash?: string;
}

/** A decision's schemas as JSON Schema. */
export interface DecisionSchema {
  readonly id: string;
  readonly version: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly profileSchema: JsonSchema;
}
