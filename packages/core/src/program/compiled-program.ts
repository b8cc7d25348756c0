import { ignoreRejection, isThenable } from "../awaitable.js";
import { copyData } from "../copies/copy-data.js";
import { deepFreeze } from "../copies/freeze.js";
import { readable } from "../copies/readable.js";
import type { Rule } from "../definition/decision.js";
import { DecernError } from "../errors.js";
import { isoTimestamp } from "../evaluation/clock.js";
import type { Schema, SchemaIssue, SchemaProps, SchemaResult } from "../schema/standard-schema.js";
import { EnvelopeText } from "./envelope-text.js";
import { hasJsonForm } from "./json-form.js";
import { isNestedTooDeeply } from "./nesting.js";
import type { Program } from "./program.js";
import type { EvaluatedRule, NoMatchResult, Result } from "./result.js";
import type { RuleScope } from "./rule-scope.js";
import { isTooDeep, settled, summarize, tooDeep, toValidationIssues, validate } from "./validation.js";

/** What a program needs of a definition. */
export interface ProgramSource<Input, Emitted, Output, Profile> {
  readonly id: string;
  readonly version: string;
  readonly inputSchema: Schema<unknown, Input>;
  readonly outputSchema: Schema<unknown, Output>;
  readonly profileSchema: Schema<unknown, Profile>;
  readonly rules: readonly Rule<Input, Emitted, Profile>[];
}

/** Whose turn it is in an evaluation. */
type Step = "inputSchema" | "profileSchema" | "when" | "emit" | "outputSchema" | "explain";

/** What a rule's function must not answer, thrown to where faults are made. */
class Nonsense {
  readonly message: string;
  readonly answer: unknown;

  constructor(message: string, answer: unknown) {
    this.message = message;
    this.answer = answer;
  }
}

interface BoundProfile<Profile> {
  readonly raw: unknown;
  readonly result: SchemaResult<Profile>;
}

/** Evaluates one definition: validate, try the rules in order, validate what the first match emits. */
export class CompiledProgram<Input, Emitted, Output, Profile> implements Program<Output> {
  readonly #source: ProgramSource<Input, Emitted, Output, Profile>;
  readonly #input: SchemaProps<unknown, Input>;
  readonly #output: SchemaProps<unknown, Output>;
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
    // Observers reach it through the decision.
    Object.freeze(this);
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
    const shared = { misses: this.#misses, text: this.#text };
    try {
      return new CompiledProgram(this.#source, shared, bindResult(raw, result.value));
    } catch (cause) {
      throw this.#noPlainData(cause);
    }
  }

  /**
   * All in one method and one `try`, with `step` to say whose code it was that threw: in small methods, each with a
   * `try` of its own, the same takes a sixth more time. docs/performance.md has the figures.
   */
  run(rawInput: unknown, rawProfile: unknown, scope: RuleScope): Result<Output> {
    const evaluatedAt = isoTimestamp(scope.epochMs);
    const rules = this.#rules;
    let step: Step = "inputSchema";
    let index = 0;
    try {
      const input = settled(this.#input.validate(rawInput), this.#input.vendor);
      if (input.issues !== undefined) return this.#invalidInput(input.issues, rawInput, evaluatedAt);
      step = "profileSchema";
      const profile =
        rawProfile === undefined
          ? (this.#bound ?? this.#withoutProfile()).result
          : settled(this.#profile.validate(rawProfile), this.#profile.vendor);
      if (profile.issues !== undefined) return this.#invalidProfile(profile.issues, rawProfile, evaluatedAt);
      for (; index < rules.length; index += 1) {
        const rule = rules[index];
        if (rule === undefined) break;
        step = "when";
        const matched: unknown = rule.when(input.value, profile.value, scope);
        if (matched === false) continue;
        // A promise is truthy: taking it for a match would let everybody in.
        if (matched !== true) throw new Nonsense(`no boolean, but ${describe(matched)}`, matched);
        step = "emit";
        const emitted = rule.emit(input.value, profile.value, scope);
        if (isThenable(emitted)) throw new Nonsense("a promise", emitted);
        step = "outputSchema";
        const output = settled(this.#output.validate(emitted), this.#output.vendor);
        if (output.issues !== undefined) throw this.#invalidOutput(rule.id, output.issues, emitted);
        const data = output.value;
        // Asked of nothing else: most outputs are objects.
        if (typeof data !== "object" && !hasJsonForm(data)) throw this.#noJson(rule.id, data);
        step = "explain";
        const explanation =
          typeof rule.explain === "string" ? rule.explain : explain(rule, input.value, profile.value, scope);
        const evaluatedRules = this.#misses.slice(0, index + 1);
        evaluatedRules[index] = { ruleId: rule.id, matched: true, explanation };
        return {
          status: "OK",
          data,
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
    } catch (thrown) {
      if (step === "inputSchema" && isTooDeep(thrown))
        return this.#invalidInput(tooDeep.issues, rawInput, evaluatedAt);
      if (step === "profileSchema" && isTooDeep(thrown))
        return this.#invalidProfile(tooDeep.issues, rawProfile, evaluatedAt);
      // Whoever it was that could not follow the caller's value: the value is at fault.
      const refusal = this.refuseNesting(rawInput, rawProfile, scope);
      if (refusal !== undefined) return refusal;
      throw this.#faultOf(step, rules[index]?.id, thrown);
    }
    return this.#noMatch(evaluatedAt);
  }

  refuseNesting(input: unknown, profile: unknown, scope: RuleScope): Result<never> | undefined {
    if (isNestedTooDeeply(input)) {
      return this.#invalidInput(tooDeep.issues, input, isoTimestamp(scope.epochMs));
    }
    if (isNestedTooDeeply(profile)) {
      return this.#invalidProfile(tooDeep.issues, profile, isoTimestamp(scope.epochMs));
    }
    return undefined;
  }

  stringify(result: Result): string {
    return this.#text.of(result);
  }

  #copy(profile: unknown): unknown {
    try {
      const copy = structuredClone(profile);
      // Before a schema sees it, which may coerce in place.
      deepFreeze(copy);
      return copy;
    } catch (cause) {
      throw this.#noPlainData(cause);
    }
  }

  #noPlainData(cause: unknown): DecernError {
    return new DecernError("INVALID_OPTIONS", {
      detail: `profile of decision "${this.#source.id}" is no plain data`,
      problems: [{ path: "", message: "is no plain data" }],
      cause,
    });
  }

  /** Nobody gives a profile: the schema's defaults on `{}` are the same every time. */
  #withoutProfile(): BoundProfile<Profile> {
    const raw = Object.freeze({});
    const result = validate(this.#profile, {});
    this.#bound = result.issues === undefined ? bindResult(raw, result.value) : { raw, result };
    return this.#bound;
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

  #invalidInput(issues: readonly SchemaIssue[], value: unknown, evaluatedAt: string): Result<never> {
    const errors = toValidationIssues(issues, value);
    return {
      status: "INVALID_INPUT",
      message: summarize("input", errors),
      errors,
      meta: { decisionId: this.#source.id, evaluatedAt },
    };
  }

  #invalidProfile(issues: readonly SchemaIssue[], value: unknown, evaluatedAt: string): Result<never> {
    const errors = toValidationIssues(issues, value);
    return {
      status: "INVALID_PROFILE",
      message: summarize("profile", errors),
      errors,
      meta: { decisionId: this.#source.id, evaluatedAt },
    };
  }

  #invalidOutput(ruleId: string, issues: readonly SchemaIssue[], emitted: unknown): DecernError {
    const problems = toValidationIssues(issues, emitted);
    return this.#fault(`the output of rule "${ruleId}" breaks its schema`, undefined, problems);
  }

  #noJson(ruleId: string, data: unknown): DecernError {
    return this.#fault(`the output of rule "${ruleId}" is ${describe(data)}, which JSON leaves out`);
  }

  /** @param ruleId - of the rule whose turn it was */
  #faultOf(step: Step, ruleId: string | undefined, anything: unknown): DecernError {
    const thrown = readable(anything);
    if (step === "inputSchema" || step === "profileSchema" || step === "outputSchema") {
      return isOwnFault(thrown) ? thrown : this.#fault(`${step} threw`, thrown);
    }
    if (!(thrown instanceof Nonsense)) return this.#fault(`"${step}" of rule "${ruleId}" threw`, thrown);
    ignoreRejection(thrown.answer);
    return this.#fault(`"${step}" of rule "${ruleId}" answered ${thrown.message}`);
  }

  #fault(detail: string, thrown?: unknown, problems: DecernError["problems"] = []): DecernError {
    const cause = readable(thrown);
    return new DecernError("EVALUATION_FAILED", {
      detail: `decision "${this.#source.id}": ${detail}`,
      problems,
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

/**
 * Keeps a validated profile for all evaluations to come. It is copied first: a schema may answer a frozen object that holds
 * others which are not, or one that it shares with whoever wrote its defaults.
 */
function bindResult<Profile>(raw: unknown, value: Profile): BoundProfile<Profile> {
  const kept = { raw, value: copyData(value) };
  if (deepFreeze(kept)) return { raw, result: { value: kept.value } };
  // Nothing freezes a date, a map or a set, so that everybody gets their own.
  return {
    get raw() {
      return copyData(kept.raw);
    },
    get result() {
      return { value: copyData(kept.value) };
    },
  };
}

function share(source: {
  readonly id: string;
  readonly version: string;
  readonly rules: readonly { readonly id: string }[];
}): { readonly misses: readonly EvaluatedRule[]; readonly text: EnvelopeText } {
  const misses = source.rules.map(({ id }) => Object.freeze({ ruleId: id, matched: false }));
  return { misses, text: new EnvelopeText(source.id, source.version, misses) };
}

/** A schema that answered a promise, or an output that breaks its schema. Whatever else a schema throws is a cause. */
function isOwnFault(thrown: unknown): thrown is DecernError {
  return thrown instanceof DecernError && thrown.code === "EVALUATION_FAILED";
}

function explain<Input, Profile>(
  rule: Rule<Input, unknown, Profile>,
  input: Input,
  profile: Profile,
  scope: RuleScope,
): string {
  if (typeof rule.explain !== "function") return `Rule "${rule.id}" matched`;
  const explanation: unknown = rule.explain(input, profile, scope);
  if (typeof explanation === "string") return explanation;
  throw new Nonsense(`no string, but ${describe(explanation)}`, explanation);
}

function describe(value: unknown): string {
  if (value === null) return "null";
  return isThenable(value) ? "a promise" : `a value of type ${typeof value}`;
}
