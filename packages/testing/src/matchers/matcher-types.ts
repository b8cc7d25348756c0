import type { OkResult } from "@decern/core";
import type { ExploreOptions } from "../explore/exploration.js";
import type { DecisionLock } from "../lock/lock.js";
import type { ExampleOptions } from "./failed-examples.js";

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
  /** An envelope: the input was refused. @param pointers - JSON Pointers to places that must be named */
  toBeInvalidInput(...pointers: string[]): void;
  /** An envelope: the profile was refused. @param pointers - JSON Pointers to places that must be named */
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

/** What `data` of an envelope is checked for. */
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
