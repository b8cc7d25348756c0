import { canonicalForm } from "@decern/core/tools";
import { isListPolicy } from "../document/document.js";
import { Outputs, policyOf } from "../engine/policies.js";
import type { TableModel } from "../model.js";
import type { Box } from "./box.js";
import type { ComparedTables } from "./compared-tables.js";
import type { Space } from "./space.js";
import type { Witness, Witnesses } from "./witness.js";

/** What the results of a comparison are computed from. */
interface VerdictSettings {
  /** That has passed validation: what rows refer to. */
  readonly profile: unknown;
  /** Evaluates an input with both, and says whether their results differ. */
  readonly isDifferent: (witness: Witness) => boolean;
}

/** Rows that decide before and after, and why it is not known whether their results differ. */
interface Open {
  readonly rows: readonly number[];
  readonly message: string;
}

/** Decides, for the rows that meet an input before and after, whether their results differ. */
export class Verdicts {
  /** An input for each pair of lists of rows whose results differ. */
  readonly witnesses: Witness[] = [];
  readonly #tables: ComparedTables;
  readonly #space: Space;
  readonly #witnessesOf: Witnesses;
  readonly #isDifferent: VerdictSettings["isDifferent"];
  readonly #firstAfter: number;
  readonly #emitters: readonly [Emitter, Emitter];
  /** What was decided about the rows that meet an input: of a pair without a witness, the next box may have one. */
  readonly #decided = new Map<string, "same" | "different">();
  readonly #open = new Map<string, Open>();

  constructor(tables: ComparedTables, space: Space, witnesses: Witnesses, settings: VerdictSettings) {
    const { before, after } = tables;
    this.#tables = tables;
    this.#space = space;
    this.#witnessesOf = witnesses;
    this.#isDifferent = settings.isDifferent;
    this.#firstAfter = before.rows.length;
    this.#emitters = [new Emitter(before, settings.profile), new Emitter(after, settings.profile)];
  }

  /** What is undecided. */
  get open(): Iterable<Open> {
    return this.#open.values();
  }

  /** Whether it is decided what an input without a row comes to. */
  get isEmptyDecided(): boolean {
    return this.#decided.has(keyOf([], []));
  }

  /** @returns whether it is decided that the results in a box are the same, or that they differ */
  compare(box: Box, rows: readonly number[]): boolean {
    const isOpen = rows.some((row) => this.#space.isOpen[row] === true);
    const before = deciding(
      rows.filter((row) => row < this.#firstAfter),
      this.#tables.before,
      isOpen,
    );
    const after = deciding(
      rows.filter((row) => row >= this.#firstAfter),
      this.#tables.after,
      isOpen,
    );
    const key = keyOf(before, after);
    if (this.#decided.has(key)) return true;
    const [first, second] = [
      this.#emitters[0].emitted(before),
      this.#emitters[1].emitted(after.map((row) => row - this.#firstAfter)),
    ];
    const isSame =
      !isOpen && first.key === second.key && (first.isSettled || this.#tables.policyAffects === "none");
    if (isSame) return this.#decide(key, "same");
    const isSettled = !isOpen && first.isSettled && second.isSettled;
    const found = [box, ...(isSettled ? [] : [lastPlaces(box)])].flatMap(
      (each) => this.#witnessesOf.in(each) ?? [],
    );
    const different = found.find((witness) => this.#isDifferent(witness));
    if (different !== undefined) {
      this.witnesses.push(different);
      this.#decide(key, "different");
      const isRanked =
        !isSettled &&
        (isRankedAmong(before, this.#tables.before) || isRankedAmong(after, this.#tables.after));
      // By others of its inputs, other rows may be met, or decide.
      if (isOpen || isRanked)
        this.#open.set(key, { rows: [...before, ...after], message: isOpen ? open : ranked });
      return true;
    }
    if (found.length > 0 && isSettled) return this.#decide(key, "same");
    const message = found.length === 0 ? noInput : isOpen ? open : depends;
    this.#open.set(key, { rows: [...before, ...after], message });
    return false;
  }

  #decide(key: string, verdict: "same" | "different"): true {
    this.#decided.set(key, verdict);
    this.#open.delete(key);
    return true;
  }
}

const noInput = "No input was found that passes validation and meets them";
const open = "Conditions refer to the input, or compare texts by order";
const depends = "What they return depends on the input, and the inputs that were tried have the same result";

const ranked = "What they return, and so which of them decide, depends on the input";

/** Whether what rows return tells which of them decide. */
function isRankedAmong(rows: readonly number[], { hitPolicy }: TableModel): boolean {
  return rows.length > 1 && (hitPolicy === "A" || hitPolicy === "P" || hitPolicy === "O");
}

/** Of rows that meet an input, those that the result depends on. */
function deciding(rows: readonly number[], { hitPolicy }: TableModel, isOpen: boolean): readonly number[] {
  return hitPolicy === "F" && !isOpen ? rows.slice(0, 1) : rows;
}

function keyOf(before: readonly number[], after: readonly number[]): string {
  return `${before.join()} ${after.join()}`;
}

/** The end of each side, where a box was tried at its beginning. */
function lastPlaces(box: Box): Box {
  return box.map((ranges) => {
    const last = ranges.at(-1);
    return last === undefined ? ranges : [last, last];
  });
}

/** Says what a table emits for rows, without an input. */
class Emitter {
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
