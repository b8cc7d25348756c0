import { type Call, DecernError, type Result } from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { evaluateCall, probe } from "@decern/core/tools";

/** One valid input, and all that the decision makes of it. */
export interface Trial {
  readonly input: unknown;
  /** Such as `OK/prime-rate`, `NO_MATCH` or `ERROR`. */
  readonly outcome: string;
  /** Index of the rule that decided or failed, the first of several; -1 without any. */
  readonly decider: number;
  /** Indexes of all rules that the result is made of: of a table, there may be several. */
  readonly deciders: ReadonlySet<number>;
  /** Every rule, those after the first match too. */
  readonly rules: Extract<ReturnType<typeof probe>, { readonly rules: unknown }>["rules"];
  /** The scalars of the output by place. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Why the decision failed. */
  readonly error: DecernError | undefined;
}

/** Which rules matched. Inputs of the same signature differ in their output at most. */
export function signatureOf({ rules }: Trial): string {
  return rules.map(({ outcome }) => outcome.charAt(1)).join("");
}

const most = 64;

/** The scalars of an output by place. Of a list it says which items are in it, wherever they stand. */
function outputsOf(data: unknown): ReadonlyMap<string, string> {
  const outputs = new Map<string, string>();
  const visit = (value: unknown, place: string): void => {
    if (outputs.size >= most) return;
    if (Array.isArray(value)) {
      outputs.set(`${place}/length`, String(value.length));
      for (const item of value)
        if (isScalar(item)) outputs.set(`${place}/*${JSON.stringify(item)}`, "listed");
        else visit(item, `${place}/*`);
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, `${place}/${escapePointer(name)}`);
    } else outputs.set(place, JSON.stringify(value) ?? "");
  };
  visit(data, "");
  return outputs;
}

/** Such as `OK/prime-rate` and `NO_MATCH`. */
export function outcomeName(result: Result): string {
  return result.status === "OK" ? `OK/${result.meta.matchedRule}` : result.status;
}

export function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** Most values of an output that counts as one of a few. */
const fewValues = 32;

/** Tells outputs that take a few values, such as tiers and scores, from those that are computed, such as instalments. */
export class OutputKinds {
  readonly #seen = new Map<string, Set<string>>();

  add(outputs: ReadonlyMap<string, string>): void {
    for (const [place, value] of outputs) {
      const values = this.#seen.get(place);
      if (values === undefined) this.#seen.set(place, new Set([value]));
      else if (values.size <= fewValues) values.add(value);
    }
  }

  isOneOfFew(place: string): boolean {
    return (this.#seen.get(place)?.size ?? 0) <= fewValues;
  }
}

/** Called for each input that is tried for the first time. */
export interface TrialObserver {
  onTrial(trial: Trial): void;
  /** A schema failed. */
  onFault(input: unknown, error: DecernError): void;
}

/** So many are remembered; then it forgets all. */
const remembered = 50_000;

/** The decision that is explored, tried with one input after the other. */
export class Trials {
  readonly #call: Omit<Call, "input">;
  readonly #observer: TrialObserver;
  readonly #known = new Map<string, Trial | undefined>();
  /** By rule id. */
  readonly #indexes: ReadonlyMap<string, number>;
  /** Inputs that may still be tried. */
  left = 0;

  constructor(call: Omit<Call, "input">, observer: TrialObserver) {
    this.#call = call;
    this.#observer = observer;
    this.#indexes = new Map(call.decision.ruleIds.map((id, index) => [id, index]));
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

  /** In the order of the result. */
  #decidersOf(result: Result): readonly number[] {
    if (result.status !== "OK") return [];
    return result.meta.evaluatedRules.flatMap(({ ruleId, matched }) =>
      matched ? (this.#indexes.get(ruleId) ?? []) : [],
    );
  }

  #evaluated(input: unknown): Trial | undefined {
    try {
      // Copies: a rule that writes to its input must not change the next trial.
      const probed = probe({ ...this.#call, input: structuredClone(input) });
      if (probed.refused !== undefined) {
        if (probed.refused.status !== "INVALID_PROFILE") return undefined;
        throw new DecernError("INVALID_OPTIONS", { detail: "profile", problems: probed.refused.errors });
      }
      const { rules } = probed;
      // Once more as a caller would, for what only the rule that decides does: its explanation, the form of its output.
      const { result, error } = evaluateCall({ ...this.#call, input: structuredClone(input) });
      const isRefused = result?.status === "INVALID_INPUT" || result?.status === "INVALID_PROFILE";
      if (isRefused) return undefined;
      const deciders = result === undefined ? [] : this.#decidersOf(result);
      return {
        input,
        outcome: result === undefined ? "ERROR" : outcomeName(result),
        decider: deciders[0] ?? rules.findIndex(({ outcome }) => outcome !== "missed"),
        deciders: new Set(deciders),
        rules,
        outputs: result?.status === "OK" ? outputsOf(result.data) : new Map(),
        error,
      };
    } catch (thrown) {
      if (!(thrown instanceof DecernError) || thrown.code !== "EVALUATION_FAILED") throw thrown;
      this.#observer.onFault(input, thrown);
      return undefined;
    }
  }
}
