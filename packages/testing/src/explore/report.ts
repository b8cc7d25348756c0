import type { Decision } from "@decern/core";
import type {
  Boundary,
  Exploration,
  ExploredFault,
  RuleCoverage,
  RuleOverlap,
  Witness,
} from "./exploration.js";
import type { Border, Borders } from "./search/borders.js";
import { type Findings, faultKey, type OverlapFinding, type RuleFinding } from "./search/findings.js";
import type { Shrinker } from "./search/shrinker.js";
import type { Subject } from "./search/subject.js";
import type { Trial } from "./search/trial.js";
import { pointerOf, valueAt, withValue } from "./values/json-path.js";

/** What a report is made of. */
export interface ReportParts {
  readonly subject: Subject;
  readonly findings: Findings;
  readonly borders: Borders;
  readonly shrinker: Shrinker;
  readonly seed: number;
}

/** Writes down what was found, with witnesses made readable. */
export class Report {
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
    const { shrinker, subject } = this.#parts;
    return {
      input: shrinker.shrink(input, (candidate) => {
        const trial = subject.try(candidate);
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
        : { witness: this.#witness(witness, ({ outcome }) => outcome === witness.outcome) }),
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

  /** Both witnesses are made readable together: they go on to differ in one place only. */
  #boundary({ path, trials: [one, other] }: Border): Boundary {
    const { shrinker, subject } = this.#parts;
    const value = valueAt(other.input, path);
    const moved = (input: unknown): unknown => withValue(input, path, value);
    const answers = one.outcome === other.outcome ? [one, other].map(textOf) : undefined;
    const shows = (candidate: unknown): boolean => {
      const first = subject.try(candidate);
      const second = subject.try(moved(candidate));
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
