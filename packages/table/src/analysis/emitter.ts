import { canonicalForm } from "@decern/core/tools";
import { isListPolicy } from "../document/document.js";
import { Outputs } from "../engine/outputs.js";
import { policyOf } from "../engine/policies.js";
import type { TableModel } from "../model.js";

/** Says what a table emits for rows, without an input. */
export class Emitter {
  readonly #model: TableModel;
  readonly #profile: unknown;
  readonly #outputs: Outputs;

  constructor(model: TableModel, profile: unknown) {
    this.#model = model;
    this.#profile = profile;
    this.#outputs = new Outputs(model);
  }

  /**
   * @param rows - that an input meets, in the order of the table
   * @returns a text that is the same for rows that emit the same; if not `isSettled`, under the same policy
   */
  emitted(rows: readonly number[]): { readonly key: string; readonly isSettled: boolean } {
    const { document, hitPolicy, rows: all, otherwise } = this.#model;
    const fails = { key: "!", isSettled: true };
    if (hitPolicy === "U" && rows.length > 1) return fails;
    const cells = rows.length > 0 ? rows.map((row) => all[row]?.forms ?? []) : [otherwise?.forms ?? []];
    if (cells.flat().some(refersToInput)) {
      const named = cells.map((row) => document.outputs.map(({ path }, at) => [path, row[at]]));
      return { key: `?${JSON.stringify([rows.length > 0, named])}`, isSettled: false };
    }
    try {
      return { key: `=${canonicalForm(this.#result(rows))}`, isSettled: true };
    } catch {
      // The policy doesn't allow these rows together, or they emit what it can't add up.
      return fails;
    }
  }

  #result(rows: readonly number[]): unknown {
    const context = { now: new Date(0), requestId: "", caller: undefined };
    let at = 0;
    const next = (): number => {
      const row = rows[at] ?? -1;
      at += 1;
      return row;
    };
    const outcome = policyOf(this.#model, this.#outputs)({ next }, {}, this.#profile, context);
    if (outcome !== undefined) return outcome.emitted;
    const values = this.#model.otherwise?.emit({}, this.#profile, context);
    if (values === undefined) return null;
    const whole = this.#outputs.object(values);
    return isListPolicy(this.#model.hitPolicy) ? [whole] : whole;
  }
}

/** Of a text in quotes it may say so, too: then an input decides. */
function refersToInput(cell: unknown): boolean {
  return typeof cell === "string" && /\binput\b/.test(cell);
}
