import type { DecernError, Decision } from "@decern/core";
import { sameJson } from "../values/same-json.js";
import type { TrialObserver } from "./subject.js";
import type { Trial } from "./trial.js";

/** What was seen of one rule. */
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

export interface FaultFinding {
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
    const { decider, error, rules, outcome } = trial;
    if (outcome === "NO_MATCH") this.noMatch ??= trial;
    if (error !== undefined) this.#addFault(error, trial.input, trial);
    for (const [index, { outcome }] of rules.entries()) {
      const finding = this.rules[index];
      if (finding === undefined) continue;
      if (outcome === "missed") finding.missed += 1;
      if (outcome !== "matched") continue;
      finding.matched += 1;
      if (index !== decider) finding.deciders.set(decider, (finding.deciders.get(decider) ?? 0) + 1);
      else if (error === undefined) {
        finding.decided += 1;
        finding.witness ??= trial;
      }
      if (index > decider && error === undefined) this.#addOverlap(trial, index);
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
  return first?.outcome === "matched" && second?.outcome === "matched" && !sameJson(first.data, second.data);
}

/** Says what failed, with the message of what was thrown. */
function messageOf({ message, cause, problems }: DecernError): string {
  const said = cause instanceof Error ? `: ${cause.message}` : "";
  return problems.length > 0 || message.endsWith(said) ? message : message + said;
}

/** The same for messages that differ in the values they name only. */
export function faultKey(error: DecernError): string {
  return messageOf(error).replaceAll(/\d+(?:\.\d+)?|"[^"]{0,200}"(?=[^"]*$)/g, "…");
}
