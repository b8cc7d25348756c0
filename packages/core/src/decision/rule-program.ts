import { hasJsonForm, isNestedTooDeeply } from "../base/json.js";
import { isoTimestamp, isThenable } from "../base/time.js";
import type { EvaluationScope, InputView, Program, UsedCall } from "./decision.js";
import type { SchemaProps, Validate } from "./ports.js";
import type { EvaluatedRule, Probed, Result } from "./result.js";
import {
  describe,
  noMatch,
  type ProgramSource,
  probeRule,
  type Rule,
  type SharedParts,
  type Step,
  share,
  WrongReturn,
} from "./rule.js";
import { UsedResults } from "./scope.js";
import { type BoundProfile, DecisionProfiles, settled, validate, viewedSchema } from "./validation.js";

/** What a program needs of a definition with `rules`. */
interface RuleSource<Input, Emitted, Output, Profile, Used extends string>
  extends ProgramSource<Input, Output, Profile> {
  readonly rules: readonly Rule<Input, Emitted, Profile, Used>[];
}

/** Of this many rules at most: those of more would be long, and many. */
const mostTraces = 32;

/** Evaluates one definition: validate, try the rules in order, validate what the first match emits. */
export class CompiledProgram<Input, Emitted, Output, Profile, Used extends string>
  implements Program<Output>
{
  readonly #source: RuleSource<Input, Emitted, Output, Profile, Used>;
  readonly #shared: SharedParts;
  readonly #input: SchemaProps<unknown, Input>;
  readonly #output: SchemaProps<unknown, Output>;
  readonly #profile: SchemaProps<unknown, Profile>;
  readonly #issuesOfInput: Validate<Input>["issuesOf"];
  readonly #issuesOfOutput: Validate<Output>["issuesOf"];
  readonly #rules: readonly Rule<Input, Emitted, Profile, Used>[];
  readonly #misses: readonly EvaluatedRule[];
  /** What each rule's trace is a copy of: to copy a whole list takes half the time of copying its first part. */
  readonly #traces: (readonly EvaluatedRule[])[] = [];
  readonly #faults: SharedParts["faults"];
  readonly #refusals: SharedParts["refusals"];
  readonly #used = new UsedResults<Output>();
  readonly #profiles: DecisionProfiles<Profile>;
  #bound: BoundProfile<Profile> | undefined;

  constructor(
    source: RuleSource<Input, Emitted, Output, Profile, Used>,
    shared: SharedParts = share(source),
    bound?: BoundProfile<Profile>,
  ) {
    this.#source = source;
    this.#profiles = new DecisionProfiles(source);
    this.#shared = shared;
    this.#input = source.inputSchema["~standard"];
    this.#output = source.outputSchema["~standard"];
    this.#profile = source.profileSchema["~standard"];
    this.#issuesOfInput = this.#input.validate.issuesOf;
    this.#issuesOfOutput = this.#output.validate.issuesOf;
    this.#rules = source.rules;
    this.#misses = shared.misses;
    this.#faults = shared.faults;
    this.#refusals = shared.refusals;
    this.#bound = bound;
    // Observers reach it through the decision.
    Object.freeze(this);
  }

  get boundProfile(): unknown {
    return this.#bound?.raw ?? {};
  }

  get levels(): number {
    return this.#shared.levels;
  }

  bind(profile: unknown): Program<Output> {
    return new CompiledProgram(this.#source, this.#shared, this.#profiles.bind(profile));
  }

  share(profile: unknown): void {
    this.#profiles.share(profile);
  }

  through(view: InputView, explains: boolean): Program<Output> {
    const { inputSchema, rules } = this.#source;
    const source = {
      ...this.#source,
      inputSchema: viewedSchema(inputSchema, view),
      rules: explains ? rules : rules.map(({ id, when, emit }) => ({ id, when, emit })),
    };
    return new CompiledProgram(source, this.#shared, this.#bound);
  }

  get ruleTexts(): readonly string[] {
    return this.#rules.flatMap(({ when, emit, explain }) => [`${when}`, `${emit}`, `${explain}`]);
  }

  probe(rawInput: unknown, rawProfile: unknown, scope: EvaluationScope): Probed {
    const evaluatedAt = isoTimestamp(scope.epochMs);
    const { outputSchema } = this.#source;
    let step: Step = "inputSchema";
    try {
      const input = validate(this.#input, rawInput);
      if (input.issues !== undefined)
        return { refused: this.#refusals.input(input.issues, rawInput, evaluatedAt) };
      step = "profileSchema";
      const bound = this.#bound ?? this.#withoutProfile();
      const profile = rawProfile === undefined ? bound.result : validate(this.#profile, rawProfile);
      if (profile.issues !== undefined)
        return { refused: this.#refusals.profile(profile.issues, rawProfile, evaluatedAt) };
      const call = { input: input.value, profile: profile.value, scope };
      const rules = this.#rules.map((rule) => probeRule(rule, outputSchema, this.#faults, call));
      return { refused: undefined, rules };
    } catch (thrown) {
      throw this.#faults.thrownIn(step, undefined, thrown);
    }
  }

  /**
   * All in one method and one `try`, with `step` to say whose code threw: small methods, each with a `try` of its own, take a sixth
   * more time, because V8 can inline only the one. docs/adr/0035 has the figure.
   */
  evaluate(rawInput: unknown, rawProfile: unknown, scope: EvaluationScope): Result<Output> {
    const evaluatedAt = isoTimestamp(scope.epochMs);
    const rules = this.#rules;
    let step: Step = "inputSchema";
    let index = 0;
    try {
      let input: Input;
      if (this.#issuesOfInput !== undefined) {
        const issues = this.#issuesOfInput(rawInput);
        if (issues !== undefined) return this.#refusals.input(issues, rawInput, evaluatedAt);
        // The schema returns what is valid as it is.
        input = rawInput as Input;
      } else {
        // Not through `validated`, which every program shares: the engine calls a method of its own schema a tenth faster.
        const checked = settled(this.#input.validate(rawInput), this.#input.vendor);
        if (checked.issues !== undefined) return this.#refusals.input(checked.issues, rawInput, evaluatedAt);
        input = checked.value;
      }
      step = "profileSchema";
      const profile =
        rawProfile === undefined
          ? (this.#bound ?? this.#withoutProfile()).result
          : (this.#profiles.resultOf(rawProfile) ??
            settled(this.#profile.validate(rawProfile), this.#profile.vendor));
      if (profile.issues !== undefined)
        return this.#refusals.profile(profile.issues, rawProfile, evaluatedAt);
      for (; index < rules.length; index += 1) {
        const rule = rules[index];
        if (rule === undefined) break;
        step = "when";
        const matched: unknown = rule.when(input, profile.value, scope);
        if (matched === false) continue;
        // A promise is truthy: taking it for a match would admit every caller.
        if (matched !== true) throw new WrongReturn(`${describe(matched)} instead of a boolean`, matched);
        step = "emit";
        const emitted = rule.emit(input, profile.value, scope);
        if (isThenable(emitted)) throw new WrongReturn("a promise", emitted);
        step = "outputSchema";
        let data: Output;
        if (this.#issuesOfOutput !== undefined) {
          const issues = this.#issuesOfOutput(emitted);
          if (issues !== undefined) throw this.#faults.invalidOutput(rule.id, issues, emitted);
          // As above. `unknown`, because a rule's emitted type is what the schema takes.
          data = emitted as unknown as Output;
        } else {
          const checked = settled(this.#output.validate(emitted), this.#output.vendor);
          if (checked.issues !== undefined)
            throw this.#faults.invalidOutput(rule.id, checked.issues, emitted);
          data = checked.value;
        }
        // Most outputs are objects, which are not asked.
        if (typeof data !== "object" && !hasJsonForm(data)) throw this.#faults.withoutJsonForm(rule.id, data);
        step = "explain";
        const explanation: unknown =
          typeof rule.explain === "function"
            ? rule.explain(input, profile.value, scope)
            : (rule.explain ?? `Rule "${rule.id}" matched`);
        if (typeof explanation !== "string")
          throw new WrongReturn(`${describe(explanation)} instead of a string`, explanation);
        const evaluatedRules = this.#traces[index]?.slice() ?? this.#traceOf(index);
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
      const refusal =
        this.#refusals.tooDeep(step, thrown, rawInput, rawProfile, evaluatedAt) ??
        // Whichever code could not follow the caller's value: the value is the reason.
        this.refuseNesting(rawInput, rawProfile, scope);
      if (refusal !== undefined) return refusal;
      throw this.#faults.thrownIn(step, rules[index]?.id, thrown);
    }
    return noMatch(this.#source, evaluatedAt, this.#misses.slice());
  }

  evaluateUsed(call: UsedCall): Result<Output> {
    return this.#used.of(call, this);
  }

  refuseNesting(input: unknown, profile: unknown, scope: EvaluationScope): Result<never> | undefined {
    if (profile === undefined && !isNestedTooDeeply(input)) return undefined;
    return this.#profiles.refuseNesting(this.#refusals, input, profile, scope.epochMs);
  }

  stringify(result: Result): string {
    return this.#shared.text.of(result);
  }

  canonicalText(result: Result): string | undefined {
    return this.#shared.text.canonicalOf(result);
  }

  #withoutProfile(): BoundProfile<Profile> {
    this.#bound = this.#profiles.empty();
    return this.#bound;
  }

  #traceOf(index: number): EvaluatedRule[] {
    const trace = this.#misses.slice(0, index + 1);
    if (index < mostTraces) this.#traces[index] = trace.slice();
    return trace;
  }
}
