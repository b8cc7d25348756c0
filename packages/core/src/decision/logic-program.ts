import { hasJsonForm } from "../base/json.js";
import { isoTimestamp, isThenable } from "../base/time.js";
import type { EvaluationScope, InputView, Program, UsedCall } from "./decision.js";
import type { BoundLogic, Logic, LogicContent, LogicHit, SchemaProps, SchemaResult } from "./ports.js";
import type { EvaluatedRule, Probed, ProbedRule, Result } from "./result.js";
import { noMatch, type ProgramSource, type SharedParts, type Step, share, WrongReturn } from "./rule.js";
import { UsedResults } from "./scope.js";
import { type BoundProfile, DecisionProfiles, validate, validated, viewedSchema } from "./validation.js";

/** What a program needs of a definition with `logic`. */
interface LogicSource<Output> extends ProgramSource<unknown, Output, unknown> {
  readonly logic: Logic;
}

/**
 * Evaluates a definition with `logic`: validate, decide, validate what was emitted. Apart from the program of rules, whose one method
 * stays as it is: a process that serves no table pays nothing for those.
 */
export class LogicProgram<Output> implements Program<Output> {
  readonly #source: LogicSource<Output>;
  readonly #shared: SharedParts;
  readonly #input: SchemaProps<unknown, unknown>;
  readonly #output: SchemaProps<unknown, Output>;
  readonly #explains: boolean;
  readonly #used = new UsedResults<Output>();
  readonly #profiles: DecisionProfiles<unknown>;
  /** By the validated profile: those of hosts, and those that many calls share, are bound once. */
  readonly #logics = new WeakMap<object, BoundLogic>();
  #bound: BoundProfile<unknown> | undefined;

  constructor(
    source: LogicSource<Output>,
    shared: SharedParts = share({ ...source, rules: [] }),
    bound?: BoundProfile<unknown>,
    explains = true,
  ) {
    this.#source = source;
    this.#shared = shared;
    this.#input = source.inputSchema["~standard"];
    this.#output = source.outputSchema["~standard"];
    this.#profiles = new DecisionProfiles(source);
    this.#bound = bound;
    this.#explains = explains;
    // Observers reach it through the decision.
    Object.freeze(this);
  }

  get boundProfile(): unknown {
    return this.#bound?.raw ?? {};
  }

  get levels(): number {
    return this.#shared.levels;
  }

  get content(): LogicContent {
    return this.#source.logic.content;
  }

  from(document: unknown): Logic | undefined {
    return this.#source.logic.from?.(document);
  }

  /** The document, which has every value that rules compare with. */
  get ruleTexts(): readonly string[] {
    return [JSON.stringify(this.content.document)];
  }

  bind(profile: unknown): Program<Output> {
    return new LogicProgram(this.#source, this.#shared, this.#profiles.bind(profile), this.#explains);
  }

  share(profile: unknown): void {
    this.#profiles.share(profile);
  }

  through(view: InputView, explains: boolean): Program<Output> {
    const source = { ...this.#source, inputSchema: viewedSchema(this.#source.inputSchema, view) };
    return new LogicProgram(source, this.#shared, this.#bound, explains);
  }

  boundLogic(profile?: unknown): BoundLogic | undefined {
    const result = profile === undefined ? this.#default() : this.#validProfile(profile);
    return result.issues === undefined ? this.#logicOf(result) : undefined;
  }

  probe(rawInput: unknown, rawProfile: unknown, scope: EvaluationScope): Probed {
    const { refusals, faults } = this.#shared;
    const evaluatedAt = isoTimestamp(scope.epochMs);
    let step: Step = "inputSchema";
    try {
      const input = validate(this.#input, rawInput);
      if (input.issues !== undefined) return { refused: refusals.input(input.issues, rawInput, evaluatedAt) };
      step = "profileSchema";
      const profile = rawProfile === undefined ? this.#default() : this.#validProfile(rawProfile);
      if (profile.issues !== undefined)
        return { refused: refusals.profile(profile.issues, rawProfile, evaluatedAt) };
      step = "logic";
      const logic = this.#logicOf(profile);
      const hits = new Set(logic.hits(input.value, scope).map(({ ruleId }) => ruleId));
      return { refused: undefined, rules: this.#probedRules(logic, input.value, scope, hits) };
    } catch (thrown) {
      throw faults.thrownIn(step, undefined, thrown);
    }
  }

  evaluate(rawInput: unknown, rawProfile: unknown, scope: EvaluationScope): Result<Output> {
    const { refusals, faults } = this.#shared;
    const evaluatedAt = isoTimestamp(scope.epochMs);
    let step: Step = "inputSchema";
    try {
      const input = validated(this.#input, rawInput);
      if (input.issues !== undefined) return refusals.input(input.issues, rawInput, evaluatedAt);
      step = "profileSchema";
      const profile = rawProfile === undefined ? this.#default() : this.#validProfile(rawProfile);
      if (profile.issues !== undefined) return refusals.profile(profile.issues, rawProfile, evaluatedAt);
      step = "logic";
      const decided = this.#logicOf(profile).decide(input.value, scope);
      if (isThenable(decided)) throw new WrongReturn("a promise", decided);
      if (decided === undefined) return noMatch(this.#source, evaluatedAt, []);
      const { emitted, hits, parts } = decided;
      scope.parts = parts;
      const evaluatedRules = hits.map((hit) => this.#traced(hit));
      const [first] = evaluatedRules;
      if (first === undefined) throw new WrongReturn("no hits", decided);
      step = "outputSchema";
      const output = validated(this.#output, emitted);
      if (output.issues !== undefined) throw faults.invalidOutput(first.ruleId, output.issues, emitted);
      const data = output.value;
      if (!hasJsonForm(data)) throw faults.withoutJsonForm(first.ruleId, data);
      return {
        status: "OK",
        data,
        meta: {
          decisionId: this.#source.id,
          decisionVersion: this.#source.version,
          matchedRule: first.ruleId,
          explanation: this.#explains ? decided.explanation : unexplained(first.ruleId),
          evaluatedAt,
          evaluatedRules,
        },
      };
    } catch (thrown) {
      const refusal =
        refusals.tooDeep(step, thrown, rawInput, rawProfile, evaluatedAt) ??
        // Whichever code could not follow the caller's value: the value is the reason.
        this.refuseNesting(rawInput, rawProfile, scope);
      if (refusal !== undefined) return refusal;
      throw faults.thrownIn(step, undefined, thrown);
    }
  }

  evaluateUsed(call: UsedCall): Result<Output> {
    return this.#used.of(call, this);
  }

  refuseNesting(input: unknown, profile: unknown, scope: EvaluationScope): Result<never> | undefined {
    return this.#profiles.refuseNesting(this.#shared.refusals, input, profile, scope.epochMs);
  }

  stringify(result: Result): string {
    return this.#shared.text.of(result);
  }

  canonicalText(result: Result): string | undefined {
    return this.#shared.text.canonicalOf(result);
  }

  #default(): SchemaResult<unknown> {
    this.#bound ??= this.#profiles.empty();
    return this.#bound.result;
  }

  #validProfile(profile: unknown): SchemaResult<unknown> {
    return this.#profiles.resultOf(profile) ?? validate(this.#source.profileSchema["~standard"], profile);
  }

  /** @param result - the same object for every call of one profile, where that is known */
  #logicOf(result: { readonly value: unknown }): BoundLogic {
    const known = this.#logics.get(result);
    if (known !== undefined) return known;
    const logic = this.#source.logic.bind(result.value);
    this.#logics.set(result, logic);
    return logic;
  }

  #traced({ ruleId, explanation }: LogicHit): EvaluatedRule {
    return { ruleId, matched: true, explanation: this.#explains ? explanation : unexplained(ruleId) };
  }

  /** Rules that were hit have what the decision returns for this input, since no rule of a table decides alone. */
  #probedRules(
    logic: BoundLogic,
    input: unknown,
    scope: EvaluationScope,
    hits: ReadonlySet<string>,
  ): readonly ProbedRule[] {
    const { faults } = this.#shared;
    const { rules } = this.#source.logic;
    const missed = (ruleId: string): ProbedRule => ({ ruleId, outcome: "missed" });
    let step: Step = "logic";
    try {
      const decided = logic.decide(input, scope);
      step = "outputSchema";
      const output = validated(this.#output, decided?.emitted);
      return rules.map(({ id: ruleId }) => {
        if (!hits.has(ruleId)) return missed(ruleId);
        if (output.issues === undefined) return { ruleId, outcome: "matched", data: output.value };
        const error = faults.invalidOutput(ruleId, output.issues, decided?.emitted);
        return { ruleId, outcome: "failed", error };
      });
    } catch (thrown) {
      const error = faults.thrownIn(step, undefined, thrown);
      return rules.map(({ id: ruleId }) =>
        hits.has(ruleId) ? { ruleId, outcome: "failed", error } : missed(ruleId),
      );
    }
  }
}

function unexplained(ruleId: string): string {
  return `Rule "${ruleId}" matched`;
}
