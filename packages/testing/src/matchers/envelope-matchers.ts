import type { InvalidResult, NoMatchResult, OkResult, Result } from "@decern/core";
import type { MatcherState } from "vitest";
import type { ExploreOptions } from "../explore/exploration.js";
import type { DecisionLock } from "../lock/lock.js";

/**
 * What Decern adds to `expect(…)`.
 *
 * @typeParam Received - the type of what was given to `expect`
 */
export interface DecernMatchers<Received> {
  /**
   * An envelope: this rule decided.
   *
   * @param ruleId - a rule of the decision, as far as its type tells; any `string` is accepted
   * @param data - what the output contains; a part of it is enough
   */
  toMatchRule<RuleId extends string>(
    ruleId: string extends RuleId ? RuleId : RuleIdOf<Awaited<Received>>,
    data?: PartOfOutput<Awaited<Received>>,
  ): void;
  /** An envelope: no rule matched. */
  toBeNoMatch(): void;
  /** An envelope: the input is invalid. @param pointers - JSON Pointers to places that must be named */
  toBeInvalidInput(...pointers: string[]): void;
  /** An envelope: the profile is invalid. @param pointers - JSON Pointers to places that must be named */
  toBeInvalidProfile(...pointers: string[]): void;
  /** An envelope: the explanation of the rule that decided contains this text, or matches. */
  toBeExplainedBy(text: string | RegExp): void;
  /** A decision: every one of its examples comes out as it expects. */
  toPassExamples(options?: ExampleOptions): void;
  /** A decision, or what `explore` found: every rule decides some input. */
  toReachEveryRule(options?: ExploreOptions): void;
  /** A decision, or what `explore` found: no input makes it fail. */
  toHaveNoFaults(options?: ExploreOptions): void;
  /** A decision, or what `explore` found: some rule matches every input that was tried. */
  toHaveNoGaps(options?: ExploreOptions): void;
  /** A module: every version behaves as locked. @param lock - or the text of its file */
  toMatchLock(lock: DecisionLock | string): void;
}

/** The rules of the decision that an envelope is of, as far as its type tells. */
type RuleIdOf<Received> =
  Extract<Received, OkResult> extends OkResult<unknown, infer RuleId> ? RuleId : string;

/** The part of `data` that is compared. */
type PartOfOutput<Received> = unknown extends Received
  ? unknown
  : Received extends OkResult<infer Output>
    ? PartOf<Output>
    : never;

type PartOf<Value> = Value extends readonly unknown[]
  ? { readonly [Index in keyof Value]: PartOf<Value[Index]> }
  : Value extends object
    ? { readonly [Name in keyof Value]?: PartOf<Value[Name]> }
    : Value;

/** Options for evaluating examples. */
export type ExampleOptions = Pick<ExploreOptions, "profile" | "profiles" | "now">;

/** The result of a matcher, as Vitest expects it. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
  /** Shown as a difference. */
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/**
 * @param expectation - what was asked for, such as `rule "prime" to decide`
 * @param found - what there is
 */
export function matcherResult(pass: boolean, expectation: string, found: () => string): MatcherResult {
  return { pass, message: () => `${pass ? "did not expect" : "expected"} ${expectation}\n${found()}` };
}

const statuses: ReadonlySet<unknown> = new Set(["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE"]);

/** @throws TypeError for a value that is not an envelope: no matcher may pass on it, not even with `.not` */
function envelope(matcher: string, received: unknown): Result {
  if (isEnvelope(received)) return received;
  const what = received instanceof Promise ? "a promise: await it" : JSON.stringify(received);
  throw new TypeError(`${matcher} takes an envelope, as evaluate() returns it, and got ${what}`);
}

/** Whether a value comes from an evaluation, which guarantees the rest of its members. */
function isEnvelope(value: unknown): value is Result {
  return (
    typeof value === "object" &&
    value !== null &&
    "status" in value &&
    statuses.has(value.status) &&
    "meta" in value
  );
}

/** An envelope as a reader of a test's output wants it. */
export function describeEnvelope(result: Result): string {
  if (result.status === "OK") return describeMatch(result);
  return result.status === "NO_MATCH" ? describeMiss(result) : describeRefusal(result);
}

function describeMatch({ data, meta }: OkResult): string {
  return `Rule "${meta.matchedRule}" decided: ${meta.explanation}\n  ${JSON.stringify(data)}`;
}

function describeMiss({ meta }: NoMatchResult): string {
  return `NO_MATCH: none of the rules ${meta.evaluatedRules.map(({ ruleId }) => ruleId).join(", ")} matched`;
}

function describeRefusal({ status, errors }: InvalidResult<"INVALID_INPUT" | "INVALID_PROFILE">): string {
  return [`${status}:`, ...errors.map(({ path, message }) => `  ${path || "(the whole)"} ${message}`)].join(
    "\n",
  );
}

/** Matchers of envelopes, for `expect.extend`. */
export const envelopeMatchers = {
  toMatchRule(this: MatcherState, received: unknown, ruleId: string, data?: unknown): MatcherResult {
    const result = envelope("toMatchRule", received);
    const isRule = result.status === "OK" && result.meta.matchedRule === ruleId;
    const expectation = `rule "${ruleId}" to decide`;
    if (!isRule || data === undefined)
      return matcherResult(isRule, expectation, () => describeEnvelope(result));
    const { iterableEquality, subsetEquality } = this.utils;
    const hasData = this.equals(result.data, data, [...this.customTesters, iterableEquality, subsetEquality]);
    return {
      ...matcherResult(hasData, `${expectation} with ${JSON.stringify(data)}`, () =>
        describeEnvelope(result),
      ),
      actual: result.data,
      expected: data,
    };
  },

  toBeNoMatch(received: unknown): MatcherResult {
    const result = envelope("toBeNoMatch", received);
    return matcherResult(result.status === "NO_MATCH", "no rule to match", () => describeEnvelope(result));
  },

  toBeInvalidInput(received: unknown, ...pointers: readonly string[]): MatcherResult {
    return refusal("toBeInvalidInput", received, "INVALID_INPUT", pointers);
  },

  toBeInvalidProfile(received: unknown, ...pointers: readonly string[]): MatcherResult {
    return refusal("toBeInvalidProfile", received, "INVALID_PROFILE", pointers);
  },

  toBeExplainedBy(received: unknown, text: string | RegExp): MatcherResult {
    const result = envelope("toBeExplainedBy", received);
    const explanation = result.status === "OK" ? result.meta.explanation : undefined;
    const pass =
      explanation !== undefined &&
      (typeof text === "string" ? explanation.includes(text) : new RegExp(text).test(explanation));
    return matcherResult(
      pass,
      `an explanation with ${typeof text === "string" ? JSON.stringify(text) : text}`,
      () => describeEnvelope(result),
    );
  },
};

function refusal(
  matcher: string,
  received: unknown,
  status: "INVALID_INPUT" | "INVALID_PROFILE",
  pointers: readonly string[],
): MatcherResult {
  const result = envelope(matcher, received);
  const failing = result.status === status ? result.errors.map(({ path }) => path) : [];
  const pass = result.status === status && pointers.every((pointer) => failing.includes(pointer));
  const places = pointers.length === 0 ? "" : ` at ${pointers.join(" and ")}`;
  return matcherResult(pass, `${status}${places}`, () => describeEnvelope(result));
}
