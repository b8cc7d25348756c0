import type { Decision } from "@decern/core";
import type {
  Boundary,
  Exploration,
  ExploredFault,
  ExploreOptions,
  RuleCoverage,
  RuleOverlap,
  Witness,
} from "./exploration.js";
import { first, samplingOf, witnessesOf } from "./inputs.js";
import { Bisector } from "./search/bisector.js";
import { Candidates } from "./search/candidates.js";
import {
  type Border,
  Borders,
  Findings,
  faultKey,
  type OverlapFinding,
  type RuleFinding,
} from "./search/findings.js";
import { Corpus, Search } from "./search/search.js";
import { Shrinker } from "./search/shrinker.js";
import { OutputKinds, type Trial, Trials } from "./search/trials.js";
import { pointerOf, valueAt, withValue } from "./values/json.js";

/** The sources of a report. */
interface ReportParts {
  readonly trials: Trials;
  readonly findings: Findings;
  readonly borders: Borders;
  readonly shrinker: Shrinker;
  readonly seed: number;
}

/** Writes the findings, with readable witnesses. */
class Report {
  readonly #decision: Decision;
  readonly #parts: ReportParts;

  constructor(decision: Decision, parts: ReportParts) {
    this.#decision = decision;
    this.#parts = parts;
  }

  write(): Exploration {
    const { findings, borders, seed } = this.#parts;
    const { id, version } = this.#decision;
    // What counts was found by searching, not by shrinking.
    const rules = findings.rules.map((finding) => ({ ...finding }));
    const noMatch = this.#noMatch();
    const coverage = rules.map((finding, index) => this.#coverage(finding, index));
    const overlaps = this.#overlaps(rules);
    const faults = this.#faults();
    const { boundaries, steps } = borders.chosen;
    return {
      decisionId: id,
      decisionVersion: version,
      seed,
      coverage: rules.length === 0 ? 1 : rules.filter(({ decided }) => decided > 0).length / rules.length,
      rules: coverage,
      overlaps,
      ...(noMatch === undefined ? {} : { noMatch }),
      faults,
      boundaries: boundaries.map((border) => this.#boundary(border)),
      steps: steps.map((border) => this.#boundary(border)),
      runs: findings.trials,
    };
  }

  #nameOf(index: number): string {
    return this.#decision.ruleIds[index] ?? "";
  }

  #witness({ input }: Trial, shows: (trial: Trial) => boolean): Witness {
    const { shrinker, trials } = this.#parts;
    return {
      input: shrinker.shrink(input, (candidate) => {
        const trial = trials.try(candidate);
        return trial !== undefined && shows(trial);
      }),
    };
  }

  #noMatch(): Witness | undefined {
    const { noMatch } = this.#parts.findings;
    return noMatch && this.#witness(noMatch, ({ outcome }) => outcome === noMatch.outcome);
  }

  #coverage({ decided, matched, witness, deciders }: RuleFinding, index: number): RuleCoverage {
    const shadows = [...deciders]
      .sort(([, one], [, other]) => other - one)
      .map(([rule]) => this.#nameOf(rule));
    return {
      ruleId: this.#nameOf(index),
      decided,
      matched,
      ...(witness === undefined
        ? {}
        : { witness: this.#witness(witness, (trial) => trial.deciders.has(index)) }),
      shadowedBy: decided === 0 ? shadows : [],
    };
  }

  #overlaps(rules: readonly RuleFinding[]): readonly RuleOverlap[] {
    const last = rules.length - 1;
    const isOtherwise = rules[last]?.missed === 0;
    return [...this.#parts.findings.overlaps.values()]
      .filter(({ other }) => !(isOtherwise && other === last))
      .sort((one, two) => one.decider - two.decider || one.other - two.other)
      .map((overlap) => this.#overlap(overlap));
  }

  #overlap({ decider, other, witness, differs }: OverlapFinding): RuleOverlap {
    const shows = (trial: Trial): boolean =>
      trial.outcome === witness.outcome && trial.rules[other]?.outcome === "matched";
    return {
      rules: [this.#nameOf(decider), this.#nameOf(other)],
      witness: this.#witness(witness, shows),
      differs,
    };
  }

  #faults(): readonly ExploredFault[] {
    return [...this.#parts.findings.faults].map(([key, { message, input, witness }]) => ({
      message,
      witness:
        witness === undefined
          ? { input }
          : this.#witness(witness, ({ error }) => error !== undefined && faultKey(error) === key),
    }));
  }

  /** Both witnesses are made readable together: they continue to differ in one place only. */
  #boundary({ path, trials: [one, other] }: Border): Boundary {
    const { shrinker, trials } = this.#parts;
    const value = valueAt(other.input, path);
    const moved = (input: unknown): unknown => withValue(input, path, value);
    const answers = one.outcome === other.outcome ? [one, other].map(textOf) : undefined;
    const shows = (candidate: unknown): boolean => {
      const first = trials.try(candidate);
      const second = trials.try(moved(candidate));
      if (first === undefined || second === undefined) return false;
      if (first.outcome !== one.outcome || second.outcome !== other.outcome) return false;
      return answers === undefined || (textOf(first) === answers[0] && textOf(second) === answers[1]);
    };
    const input = shrinker.shrink(one.input, shows, path);
    return {
      pointer: pointerOf(path),
      outcomes: [one.outcome, other.outcome],
      witnesses: [{ input }, { input: moved(input) }],
    };
  }
}

function textOf({ outputs }: Trial): string {
  return JSON.stringify([...outputs]);
}

/** The rest of the runs makes witnesses readable. */
const searchShare = 0.7;

/** Of the runs, so many begin with what a decision's logic says is worth trying. */
const seedShare = 0.5;

/**
 * Looks for inputs that reach every rule, overlaps, gaps and errors. It begins with the examples, varies them by the schema
 * and by the values that rules, profiles and schemas name, and continues from whatever behaves differently. The same seed
 * finds the same.
 *
 * @throws DecernError `INVALID_OPTIONS` for an option that does not exist, and for a profile that breaks its schema
 * @throws DecernError `INVALID_DECISION` if `meta.examples` is not a list of examples
 *
 * @example
 * ```ts
 * const { coverage, noMatch, rules } = explore(loanApproval, { profiles });
 * const unreached = rules.filter(({ witness }) => witness === undefined);
 * ```
 */
export function explore(decision: Decision, options: ExploreOptions = {}): Exploration {
  const sampling = samplingOf(decision, options);
  const { settings, bound, now, given, schema, vocabulary, reader, random, sampler } = sampling;
  const { runs, seed } = settings;
  const plain = sampler.value(schema, "plain");
  const findings = new Findings(decision);
  const { decision: explored, profiles } = bound;
  const call = { decision: explored, profiles, epochMs: now.getTime(), requestId: "explore" };
  const trials = new Trials(call, findings);
  const kinds = new OutputKinds();
  const borders = new Borders();
  const parts = {
    trials,
    reader,
    schema,
    candidates: new Candidates(reader, sampler, vocabulary, random),
    bisector: new Bisector(trials, reader, borders, kinds, vocabulary.decimals),
    corpus: new Corpus(kinds),
    kinds,
    random,
  };
  const reserve = Math.floor(runs * (1 - searchShare));
  trials.left = runs - reserve;
  const made = Array.from({ length: 20 }, () => sampler.value(schema, "random"));
  const seeds = [...given, plain, sampler.value(schema, "full"), ...made];
  new Search(parts).run([...seeds, ...first(witnessesOf(bound.decision, now), trials.left * seedShare)]);
  trials.left += reserve;
  const isValid = (input: unknown): boolean => trials.try(input) !== undefined;
  const known = given.filter(isValid);
  // Readers know the examples. Where there is none, the plainest input stands in for them.
  const bases = known.length > 0 ? known : [plain].filter(isValid);
  return new Report(decision, { trials, findings, borders, shrinker: new Shrinker(bases), seed }).write();
}
