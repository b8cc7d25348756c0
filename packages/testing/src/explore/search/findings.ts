import type { DecernError, Decision } from "@decern/core";
import { isSameJson } from "@decern/core/tools";
import { type Path, patternOf, pointerOf, valueAt } from "../values/json.js";
import type { Trial, TrialObserver } from "./trials.js";

/** Counts and a witness of one rule. */
export interface RuleFinding {
  decided: number;
  matched: number;
  missed: number;
  witness: Trial | undefined;
  /** How often each earlier rule decided in its place. */
  readonly deciders: Map<number, number>;
}

/** Two rules that match the same input. */
export interface OverlapFinding {
  readonly decider: number;
  readonly other: number;
  readonly witness: Trial;
  differs: boolean;
}

interface FaultFinding {
  readonly message: string;
  readonly input: unknown;
  /** Absent for a schema that failed. */
  readonly witness: Trial | undefined;
}

/** Watches the search, and remembers the first input of each kind: the search begins near the examples. */
export class Findings implements TrialObserver {
  readonly rules: readonly RuleFinding[];
  readonly overlaps = new Map<string, OverlapFinding>();
  readonly faults = new Map<string, FaultFinding>();
  noMatch: Trial | undefined;
  trials = 0;

  constructor({ ruleIds }: Decision) {
    this.rules = ruleIds.map(() => ({
      decided: 0,
      matched: 0,
      missed: 0,
      witness: undefined,
      deciders: new Map<number, number>(),
    }));
  }

  onTrial(trial: Trial): void {
    this.trials += 1;
    const { decider, deciders, error, rules, outcome } = trial;
    if (outcome === "NO_MATCH") this.noMatch ??= trial;
    if (error !== undefined) this.#addFault(error, trial.input, trial);
    for (const [index, { outcome }] of rules.entries()) {
      const finding = this.rules[index];
      if (finding === undefined) continue;
      if (outcome === "missed") finding.missed += 1;
      if (outcome !== "matched") continue;
      finding.matched += 1;
      if (deciders.has(index)) {
        finding.decided += 1;
        finding.witness ??= trial;
      } else if (index !== decider) finding.deciders.set(decider, (finding.deciders.get(decider) ?? 0) + 1);
      if (index !== decider && error === undefined) this.#addOverlap(trial, index);
    }
  }

  onFault(input: unknown, error: DecernError): void {
    this.#addFault(error, input, undefined);
  }

  #addFault(error: DecernError, input: unknown, witness: Trial | undefined): void {
    const key = faultKey(error);
    if (!this.faults.has(key)) this.faults.set(key, { message: messageOf(error), input, witness });
  }

  #addOverlap(trial: Trial, other: number): void {
    const { decider } = trial;
    const key = `${decider} ${other}`;
    const known = this.overlaps.get(key);
    if (known === undefined)
      this.overlaps.set(key, { decider, other, witness: trial, differs: areDifferent(trial, other) });
    else if (!known.differs) known.differs = areDifferent(trial, other);
  }
}

function areDifferent({ rules, decider }: Trial, other: number): boolean {
  const first = rules[decider];
  const second = rules[other];
  return (
    first?.outcome === "matched" && second?.outcome === "matched" && !isSameJson(first.data, second.data)
  );
}

/** The message of an error, with that of its cause. */
function messageOf({ message, cause, problems }: DecernError): string {
  const said = cause instanceof Error ? `: ${cause.message}` : "";
  return problems.length > 0 || message.endsWith(said) ? message : message + said;
}

/** The same for messages that differ in the values they name only. */
export function faultKey(error: DecernError): string {
  return messageOf(error).replaceAll(/\d+(?:\.\d+)?|"[^"]{0,200}"(?=[^"]*$)/g, "…");
}

/** Two inputs that differ in one place, and behave differently. */
export interface Border {
  readonly path: Path;
  readonly trials: readonly [Trial, Trial];
}

interface Kept extends Border {
  /** How many inputs showed it. A threshold that is written down shows again and again, a computed one does not. */
  count: number;
}

const mostOfOneKind = 12;

const mostComputed = 2;

/** Collects the borders that a search comes across. */
export class Borders {
  /** By place and aspect, then by values. */
  readonly #kept = new Map<string, Map<string, Kept>>();

  /** @param isWritten - whether it is known not to be computed */
  add(aspect: string, path: Path, trials: readonly [Trial, Trial], isWritten = false): void {
    const group = `${patternOf(path)} ${aspect}`;
    const borders = this.#kept.get(group) ?? new Map<string, Kept>();
    this.#kept.set(group, borders);
    const values = JSON.stringify(trials.map(({ input }) => String(JSON.stringify(valueAt(input, path)))));
    const known = borders.get(values);
    const isBetter = known === undefined || (!areDecidedApart(known.trials) && areDecidedApart(trials));
    borders.set(values, {
      ...(isBetter ? { path, trials } : known),
      count: (known?.count ?? 0) + (isWritten ? 2 : 1),
    });
  }

  /** Where another rule decides, and where the same rule returns something else. */
  get chosen(): { readonly boundaries: readonly Border[]; readonly steps: readonly Border[] } {
    const boundaries = new Map<string, Border>();
    const steps = new Map<string, Border>();
    for (const borders of this.#kept.values()) {
      const all = [...borders.values()].sort((one, other) => other.count - one.count);
      const written = all.filter(({ count }) => count > 1).slice(0, mostOfOneKind);
      for (const { path, trials } of written.length > 0 ? written : all.slice(0, mostComputed)) {
        const [one, other] = trials;
        const values = trials.map(({ input }) => String(JSON.stringify(valueAt(input, path))));
        const key = [pointerOf(path), ...values, one.outcome, other.outcome].join("\n");
        const place = areDecidedApart(trials) ? boundaries : steps;
        const isStep = one.outcome !== other.outcome || areAnsweredApart(one, other);
        if (isStep && !place.has(key)) place.set(key, { path, trials });
      }
    }
    return { boundaries: [...boundaries.values()], steps: [...steps.values()] };
  }
}

function areDecidedApart([one, other]: readonly [Trial, Trial]): boolean {
  return one.outcome !== other.outcome;
}

function areAnsweredApart(one: Trial, other: Trial): boolean {
  return (
    one.outputs.size !== other.outputs.size ||
    [...one.outputs].some(([place, value]) => other.outputs.get(place) !== value)
  );
}
