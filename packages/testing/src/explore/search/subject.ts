import type { Decision } from "@decern/core";
import { DecernError } from "@decern/core";
import { type EarlierCall, probe, reevaluate } from "@decern/core/tools";
import { copyJson } from "../values/copy-json.js";
import { outputsOf } from "./outputs.js";
import type { Trial } from "./trial.js";

/** What is told of each input that is tried for the first time. */
export interface TrialObserver {
  onTrial(trial: Trial): void;
  /** A schema failed. */
  onFault(input: unknown, error: DecernError): void;
}

/** So many are remembered; then it forgets all. */
const remembered = 50_000;

/** The decision that is explored, tried with one input after the other. */
export class Subject {
  readonly #decision: Decision;
  readonly #call: Omit<EarlierCall, "input">;
  readonly #observer: TrialObserver;
  readonly #known = new Map<string, Trial | undefined>();
  /** Inputs that may still be tried. */
  left = 0;

  constructor(decision: Decision, call: Omit<EarlierCall, "input">, observer: TrialObserver) {
    this.#decision = decision;
    this.#call = call;
    this.#observer = observer;
  }

  /** @returns `undefined` for an input that is not valid, and when no more may be tried */
  try(input: unknown): Trial | undefined {
    const text = JSON.stringify(input);
    if (text === undefined) return undefined;
    const known = this.#known.get(text);
    if (known !== undefined || this.#known.has(text)) return known;
    if (this.left <= 0) return undefined;
    this.left -= 1;
    const trial = this.#evaluated(input);
    if (this.#known.size >= remembered) this.#known.clear();
    this.#known.set(text, trial);
    if (trial !== undefined) this.#observer.onTrial(trial);
    return trial;
  }

  #evaluated(input: unknown): Trial | undefined {
    try {
      const probed = probe(this.#decision, { ...this.#call, input: copyJson(input) });
      if (probed.refused !== undefined) {
        if (probed.refused.status !== "INVALID_PROFILE") return undefined;
        throw new DecernError("INVALID_OPTIONS", { detail: "profile", problems: probed.refused.errors });
      }
      const { rules } = probed;
      // Once more as a caller would, for what only the rule that decides does: its explanation, the form of its output.
      const { result, error } = reevaluate(this.#decision, { ...this.#call, input: copyJson(input) });
      const decider = rules.findIndex(({ outcome }) => outcome !== "missed");
      if (result === undefined) return { input, outcome: "ERROR", decider, rules, outputs: new Map(), error };
      const { status } = result;
      if (status === "OK")
        return {
          input,
          outcome: `OK/${result.meta.matchedRule}`,
          decider,
          rules,
          outputs: outputsOf(result.data),
          error: undefined,
        };
      return status === "NO_MATCH"
        ? { input, outcome: status, decider: -1, rules, outputs: new Map(), error: undefined }
        : undefined;
    } catch (thrown) {
      if (!(thrown instanceof DecernError) || thrown.code !== "EVALUATION_FAILED") throw thrown;
      this.#observer.onFault(input, thrown);
      return undefined;
    }
  }
}
