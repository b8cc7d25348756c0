import { type Schema, toJsonSchema } from "@decern/core";
import { fieldAt } from "../contract/fields.js";
import { defaultId, isAggregate, isListPolicy } from "../document/document.js";
import { unbound } from "../engine/value-set.js";
import type { TableModel } from "../model.js";
import { type Box, boxOf, gapCells, inOrder, sizeOf, spellsOf, wholeBox } from "./box.js";
import { Budget } from "./budget.js";
import { uncovered } from "./cover.js";
import type {
  MaskedRow,
  TableAnalysis,
  TableGap,
  TableOverlap,
  Undecided,
  UnreachableOutput,
} from "./findings.js";
import { OverlapGraph, Overlaps } from "./overlaps.js";
import { decidingOrder, visitOverlaps } from "./pairs.js";
import { common } from "./ranges.js";
import { duplicatesOf, mergeableOf, outputKeys } from "./same-rows.js";
import { type Space, spaceOf } from "./space.js";
import { Witnesses } from "./witness.js";

export interface AnalysisOptions {
  /** That has passed validation: what rows refer to. */
  readonly profile: unknown;
  /** Steps for each part, of a few nanoseconds. */
  readonly budget: number;
  /** Overlaps and gaps after which no more are listed. */
  readonly limit: number;
}

/** The schemas of the table's contract. */
export interface AnalysisSchemas {
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

export function analyzeModel(
  model: TableModel,
  schemas: AnalysisSchemas,
  options: AnalysisOptions,
): TableAnalysis {
  const analysis = new Analysis(model, schemas, options);
  const { overlaps, masked, disjoint } = analysis.compareRows();
  const gaps = analysis.findGaps(disjoint);
  const unreachable = analysis.findUnreachable(new Set(masked.map(({ rule }) => rule)));
  const mergeable = analysis.findMergeable();
  const { duplicates, undecided } = analysis;
  return { overlaps, gaps, masked, duplicates, unreachable, mergeable, undecided };
}

/** Rows that an input meets together, although the policy forbids it, as far as no profile changes that. */
export function forbiddenOverlaps(
  model: TableModel,
  schemas: AnalysisSchemas,
  limits: Omit<AnalysisOptions, "profile">,
): readonly TableOverlap[] {
  const { overlaps } = new Analysis(model, schemas, { ...limits, profile: unbound }).compareRows();
  return overlaps.filter(({ isError }) => isError);
}

class Analysis {
  readonly undecided: Undecided[] = [];
  readonly #model: TableModel;
  readonly #schemas: AnalysisSchemas;
  readonly #options: AnalysisOptions;
  readonly #space: Space;
  /** For inputs that meet two rows. */
  readonly #tries: Budget;
  readonly #outputs: readonly string[];

  constructor(model: TableModel, schemas: AnalysisSchemas, options: AnalysisOptions) {
    this.#model = model;
    this.#schemas = schemas;
    this.#options = options;
    this.#space = spaceOf(model, options.profile);
    this.#tries = new Budget(options.budget);
    this.#outputs = outputKeys(model);
  }

  get duplicates() {
    return duplicatesOf(this.#model, this.#space, this.#outputs);
  }

  /** Overlaps, and rows that others hide. */
  compareRows(): {
    overlaps: readonly TableOverlap[];
    masked: readonly MaskedRow[];
    disjoint: ReadonlySet<number>;
  } {
    const { hitPolicy } = this.#model;
    const space = this.#space;
    const overlaps = new Overlaps(this.#options.limit);
    const witnesses = new Witnesses(space, this.#schemas.inputSchema, this.#tries);
    const masked: MaskedRow[] = this.#rows().flatMap((row) =>
      space.isEmpty[row] === true ? [{ rule: this.#idOf(row), by: [] }] : [],
    );
    const canMask = hitPolicy === "F" || hitPolicy === "P";
    const order = decidingOrder(this.#model);
    const unsure = new Set<number>();
    const budget = new Budget(this.#options.budget);
    const cover = new Budget(this.#options.budget);
    const unmasked: number[] = [];
    const graph = new OverlapGraph(space.size);
    const lasted = visitOverlaps(space, order ?? this.#rows(), budget, (row, earlier) => {
      graph.add(row, earlier);
      for (const other of earlier) this.#noteOverlap(overlaps, witnesses, other, row);
      if (!canMask || order === undefined || earlier.length === 0)
        return canMask || !graph.isCut || !overlaps.isFull(hitPolicy === "A");
      const box = boxOf(space, row);
      const certain = earlier.filter((other) => space.isOpen[other] === false);
      const { boxes, isComplete } = uncovered(space, box, certain, cover, { limit: 1, disjoint: none });
      if (boxes.length === 0 && !isComplete) unmasked.push(row);
      else if (boxes.length === 0)
        masked.push({ rule: this.#idOf(row), by: certain.map((at) => this.#idOf(at)) });
      else if (space.isOpen[row] === true || certain.length < earlier.length) unsure.add(row);
      return true;
    });
    if (!lasted || overlaps.isCut || this.#tries.isSpent)
      this.#note("overlaps", overlaps.isCut ? "There are more overlaps than are listed" : spent);
    if (!lasted && canMask) this.#note("masked", spent);
    if (unmasked.length > 0) this.#note("masked", spent, unmasked);
    if (canMask && order === undefined)
      this.#note("masked", "What rows emit, and so their priority, depends on the input");
    if (unsure.size > 0) this.#note("masked", open, [...unsure]);
    if (overlaps.unsure.size > 0) this.#note("overlaps", open, [...overlaps.unsure]);
    if (overlaps.invalid.size > 0) this.#note("overlaps", noInput, [...overlaps.invalid]);
    return {
      overlaps: overlaps.found,
      masked,
      disjoint: lasted ? graph.disjoint((row) => sizeOf(boxOf(space, row))) : none,
    };
  }

  #noteOverlap(overlaps: Overlaps, witnesses: Witnesses, row: number, other: number): void {
    const { hitPolicy } = this.#model;
    const space = this.#space;
    const differ = this.#outputs[row] !== this.#outputs[other];
    const mayDiffer = hitPolicy === "A" && differ;
    const isOpen = space.isOpen[row] === true || space.isOpen[other] === true;
    if (isOpen || (mayDiffer && !(this.#isConstant(row) && this.#isConstant(other)))) {
      overlaps.unsure.add(row).add(other);
      return;
    }
    const isError = hitPolicy === "U" || mayDiffer;
    if (!overlaps.hasRoom(isError)) return;
    const first = Math.min(row, other);
    const second = Math.max(row, other);
    const found = witnesses.in(
      space.sides.map(({ ranges }) => common(ranges[row] ?? [], ranges[other] ?? [])),
    );
    if (this.#tries.isSpent) return;
    if (found === undefined) overlaps.invalid.add(row).add(other);
    else overlaps.add({ rules: [this.#idOf(first), this.#idOf(second)], isError, ...found });
  }

  findGaps(disjoint: ReadonlySet<number>): readonly TableGap[] {
    if (this.#model.otherwise !== undefined) return [];
    const space = this.#space;
    const { limit } = this.#options;
    const budget = new Budget(this.#options.budget);
    const rows = this.#rows().filter((row) => space.isEmpty[row] === false);
    const certain = rows.filter((row) => space.isOpen[row] === false);
    const { boxes, isComplete } = uncovered(space, wholeBox(space), rows, budget, { limit, disjoint });
    if (!isComplete)
      this.#note("gaps", boxes.length >= limit ? "There may be more gaps than are listed" : spent);
    if (certain.length < rows.length) {
      const open = rows.filter((row) => space.isOpen[row] === true);
      const further = uncovered(space, wholeBox(space), certain, budget, { limit, disjoint: none });
      const isReached = (box: Box) =>
        open.some((row) => boxOf(space, row).every((own, at) => common(own, box[at] ?? []).length > 0));
      if (!further.isComplete || further.boxes.some(isReached)) this.#note("gaps", openGap, open);
    }
    const witnesses = new Witnesses(space, this.#schemas.inputSchema);
    return boxes
      .flatMap((box) => spellsOf(space, box))
      .toSorted(inOrder)
      .flatMap((box) => {
        const found = witnesses.in(box);
        if (found !== undefined) return [{ ...gapCells(this.#model, space, box), ...found }];
        this.#note(
          "gaps",
          `No input was found that passes validation and meets ${gapCells(this.#model, space, box).box.join(" | ")}`,
        );
        return [];
      });
  }

  findUnreachable(masked: ReadonlySet<string>): readonly UnreachableOutput[] {
    const { hitPolicy, document, rows, otherwise } = this.#model;
    if (isAggregate(hitPolicy)) return [];
    const root = toJsonSchema(this.#schemas.outputSchema);
    const schema = isListPolicy(hitPolicy) ? root["items"] : root;
    const emissions = [
      ...rows.filter((row) => !masked.has(row.id)),
      ...(otherwise === undefined ? [] : [{ ...otherwise, id: defaultId }]),
    ];
    return document.outputs.flatMap(({ path }, place) => {
      const field = fieldAt(schema, root, path.split("."));
      const members = typeof field === "string" ? [] : (field.members ?? []);
      const computed = emissions.filter((each) => each.computed.includes(place));
      const emitted = new Set(
        emissions.flatMap((each) => (each.computed.includes(place) ? [] : [each.constants[place]])),
      );
      const missing = members.filter((member) => !emitted.has(member));
      if (missing.length > 0 && computed.length > 0) {
        this.undecided.push({
          part: "unreachable",
          rules: computed.map(({ id }) => id),
          message: `What rows return as "${path}" depends on the input or the profile`,
        });
        return [];
      }
      return missing.map((value) => ({ path, value }));
    });
  }

  findMergeable() {
    const found = mergeableOf(this.#model, this.#space, this.#outputs, new Budget(this.#options.budget));
    if (found === undefined) this.#note("mergeable", spent);
    return found ?? [];
  }

  #note(part: Undecided["part"], message: string, rows?: readonly number[]): void {
    const rules = rows?.map((row) => this.#idOf(row));
    this.undecided.push({ part, ...(rules === undefined ? {} : { rules }), message });
  }

  #rows(): readonly number[] {
    return [...this.#model.rows.keys()];
  }

  #isConstant(row: number): boolean {
    return this.#model.rows[row]?.computed.length === 0;
  }

  #idOf(row: number): string {
    return this.#model.rows[row]?.id ?? "";
  }
}

const none: ReadonlySet<number> = new Set();

const spent = "The budget of the analysis is spent";
const open = "Conditions refer to the input, or compare texts by order";
const openGap = `${open}: whether they leave something uncovered isn't decided`;
const noInput = "No input was found that passes validation and meets both";
