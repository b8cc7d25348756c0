import { ignoreRejection, isThenable } from "./awaitable.js";
import { isoTimestamp } from "./clock.js";
import type { Rule } from "./decision.js";
import { EnvelopeText } from "./envelope-text.js";
import { DecernError } from "./errors.js";
import { deepFreeze } from "./freeze.js";
import type { Program } from "./program.js";
import type { EvaluatedRule, InvalidResult, NoMatchResult, Result } from "./result.js";
import type { RuleScope } from "./rule-scope.js";
import type { Schema, SchemaIssue, SchemaProps, SchemaResult } from "./standard-schema.js";
import { summarize, toValidationIssues, validate } from "./validation.js";

/** What a program needs of a definition. */
export interface ProgramSource<Input, Emitted, Output, Profile> {
  readonly id: string;
  readonly version: string;
  readonly inputSchema: Schema<unknown, Input>;
  readonly outputSchema: Schema<Emitted, Output>;
  readonly profileSchema: Schema<unknown, Profile>;
  readonly rules: readonly Rule<Input, Emitted, Profile>[];
}

interface BoundProfile<Profile> {
  readonly raw: unknown;
  readonly result: SchemaResult<Profile>;
}

/** Evaluates one definition: validate, try the rules in order, validate what the first match emits. */
export class CompiledProgram<Input, Emitted, Output, Profile> implements Program<Output> {
  readonly #source: ProgramSource<Input, Emitted, Output, Profile>;
  readonly #input: SchemaProps<unknown, Input>;
  readonly #output: SchemaProps<Emitted, Output>;
  readonly #profile: SchemaProps<unknown, Profile>;
  readonly #rules: readonly Rule<Input, Emitted, Profile>[];
  /** The trace entries of rules that did not match say the same every time, so every result shares them. */
  readonly #misses: readonly EvaluatedRule[];
  readonly #text: EnvelopeText;
  #bound: BoundProfile<Profile> | undefined;

  constructor(
    source: ProgramSource<Input, Emitted, Output, Profile>,
    shared: { readonly misses: readonly EvaluatedRule[]; readonly text: EnvelopeText } = share(source),
    bound?: BoundProfile<Profile>,
  ) {
    this.#source = source;
    this.#input = source.inputSchema["~standard"];
    this.#output = source.outputSchema["~standard"];
    this.#profile = source.profileSchema["~standard"];
    this.#rules = source.rules;
    this.#misses = shared.misses;
    this.#text = shared.text;
    this.#bound = bound;
  }

  get boundProfile(): unknown {
    return this.#bound?.raw ?? {};
  }

  bind(profile: unknown): Program<Output> {
    const raw = this.#copy(profile);
    const result = validate(this.#profile, raw);
    if (result.issues !== undefined) {
      const problems = toValidationIssues(result.issues, profile);
      throw new DecernError("INVALID_OPTIONS", {
        detail: `profile of decision "${this.#source.id}"`,
        problems,
      });
    }
    const bound = { raw, result: { value: deepFreeze(result.value) } };
    return new CompiledProgram(this.#source, { misses: this.#misses, text: this.#text }, bound);
  }

  run(rawInput: unknown, rawProfile: unknown, scope: RuleScope): Result<Output> {
    const evaluatedAt = isoTimestamp(scope.epochMs);
    const input = this.#validate("inputSchema", this.#input, rawInput);
    if (input.issues !== undefined)
      return this.#invalid("INVALID_INPUT", "input", input.issues, rawInput, evaluatedAt);
    const profile =
      rawProfile === undefined
        ? (this.#bound ?? this.#withoutProfile()).result
        : this.#validate("profileSchema", this.#profile, rawProfile);
    if (profile.issues !== undefined) {
      return this.#invalid("INVALID_PROFILE", "profile", profile.issues, rawProfile, evaluatedAt);
    }
    const rules = this.#rules;
    for (let index = 0; index < rules.length; index += 1) {
      const rule = rules[index];
      if (rule === undefined) break;
      if (this.#matches(rule, input.value, profile.value, scope)) {
        return this.#matched(rule, index, input.value, profile.value, scope, evaluatedAt);
      }
    }
    return this.#noMatch(evaluatedAt);
  }

  stringify(result: Result): string {
    return this.#text.of(result);
  }

  #copy(profile: unknown): unknown {
    try {
      return deepFreeze(structuredClone(profile));
    } catch (cause) {
      const detail = `profile of decision "${this.#source.id}" is no plain data`;
      throw new DecernError("INVALID_OPTIONS", {
        detail,
        problems: [{ path: "", message: "is no plain data" }],
        cause,
      });
    }
  }

  /** Nobody gives a profile: the schema's defaults on `{}` are the same every time. */
  #withoutProfile(): BoundProfile<Profile> {
    const raw = Object.freeze({});
    const result = this.#validate("profileSchema", this.#profile, {});
    this.#bound = { raw, result: result.issues === undefined ? { value: deepFreeze(result.value) } : result };
    return this.#bound;
  }

  #validate<T>(name: string, schema: SchemaProps<unknown, T>, value: unknown): SchemaResult<T> {
    try {
      return validate(schema, value);
    } catch (error) {
      throw error instanceof DecernError ? error : this.#fault(`${name} threw`, error);
    }
  }

  #matches(rule: Rule<Input, Emitted, Profile>, input: Input, profile: Profile, scope: RuleScope): boolean {
    let matched: unknown;
    try {
      matched = rule.when(input, profile, scope);
    } catch (error) {
      throw this.#fault(`"when" of rule "${rule.id}" threw`, error);
    }
    if (matched === true || matched === false) return matched;
    // A promise is truthy: taking it for a match would let everybody in.
    ignoreRejection(matched);
    throw this.#fault(`"when" of rule "${rule.id}" answered no boolean, but ${describe(matched)}`);
  }

  #matched(
    rule: Rule<Input, Emitted, Profile>,
    index: number,
    input: Input,
    profile: Profile,
    scope: RuleScope,
    evaluatedAt: string,
  ): Result<Output> {
    let emitted: Emitted;
    try {
      emitted = rule.emit(input, profile, scope);
    } catch (error) {
      throw this.#fault(`"emit" of rule "${rule.id}" threw`, error);
    }
    if (isThenable(emitted)) {
      ignoreRejection(emitted);
      throw this.#fault(`"emit" of rule "${rule.id}" answered a promise`);
    }
    const output = this.#validate("outputSchema", this.#output, emitted);
    if (output.issues !== undefined) {
      const issues = toValidationIssues(output.issues, emitted);
      throw this.#fault(`the output of rule "${rule.id}" breaks its schema`, undefined, issues);
    }
    const explanation = this.#explain(rule, input, profile, scope);
    const evaluatedRules = this.#misses.slice(0, index + 1);
    evaluatedRules[index] = { ruleId: rule.id, matched: true, explanation };
    return {
      status: "OK",
      data: output.value,
      meta: {
        decisionId: this.#source.id,
        decisionVersion: this.#source.version,
        matchedRule: rule.id,
        explanation,
        evaluatedAt,
        evaluatedRules,
      },
    };
  }

  #explain(rule: Rule<Input, Emitted, Profile>, input: Input, profile: Profile, scope: RuleScope): string {
    if (typeof rule.explain === "string") return rule.explain;
    if (rule.explain === undefined) return `Rule "${rule.id}" matched`;
    let explanation: unknown;
    try {
      explanation = rule.explain(input, profile, scope);
    } catch (error) {
      throw this.#fault(`"explain" of rule "${rule.id}" threw`, error);
    }
    if (typeof explanation === "string") return explanation;
    ignoreRejection(explanation);
    throw this.#fault(`"explain" of rule "${rule.id}" answered no string, but ${describe(explanation)}`);
  }

  #noMatch(evaluatedAt: string): NoMatchResult {
    const message = "No rule matched";
    return {
      status: "NO_MATCH",
      message,
      meta: {
        decisionId: this.#source.id,
        decisionVersion: this.#source.version,
        explanation: message,
        evaluatedAt,
        evaluatedRules: this.#misses.slice(),
      },
    };
  }

  #invalid<Status extends "INVALID_INPUT" | "INVALID_PROFILE">(
    status: Status,
    what: "input" | "profile",
    issues: readonly SchemaIssue[],
    value: unknown,
    evaluatedAt: string,
  ): InvalidResult<Status> {
    const errors = toValidationIssues(issues, value);
    return {
      status,
      message: summarize(what, errors),
      errors,
      meta: { decisionId: this.#source.id, evaluatedAt },
    };
  }

  #fault(detail: string, cause?: unknown, problems: DecernError["problems"] = []): DecernError {
    return new DecernError("EVALUATION_FAILED", {
      detail: `decision "${this.#source.id}": ${detail}`,
      problems,
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

function share(source: {
  readonly id: string;
  readonly version: string;
  readonly rules: readonly { readonly id: string }[];
}): { readonly misses: readonly EvaluatedRule[]; readonly text: EnvelopeText } {
  const misses = source.rules.map(({ id }) => Object.freeze({ ruleId: id, matched: false }));
  return { misses, text: new EnvelopeText(source.id, source.version, misses) };
}

function describe(value: unknown): string {
  if (value === null) return "null";
  return isThenable(value) ? "a promise" : `a value of type ${typeof value}`;
}
