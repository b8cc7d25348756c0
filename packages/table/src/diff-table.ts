import type { Decision } from "@decern/core";
import { isSameJson } from "@decern/core/tools";
import { changedResults } from "./analysis/changed-results.js";
import { comparedTables, inSameOrder } from "./analysis/compared-tables.js";
import { type AnalyzeOptions, invalid, settingsOf, tableOf } from "./analyze-table.js";
import type { TableDocument, TableRow } from "./document/document.js";
import { isSameResult, resultOf, type TableResult } from "./table-result.js";

/** How two tables of one contract differ. */
export interface TableDiff {
  /** Ids of rows, in the order of their table. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ChangedRow[];
  /** Rows that stand before others that they stood after. As few as explain the order. */
  readonly moved: readonly string[];
  /** What differs apart from rows, such as `version` or `inputs`. */
  readonly metadata: readonly ChangedPart[];
  /** Inputs whose result differs: one for each pair of lists of rows that decide before and after. */
  readonly results: readonly ChangedResult[];
  /** Why there may be other such inputs; empty if `results` is complete. */
  readonly undecided: readonly { readonly rules?: readonly string[]; readonly message: string }[];
}

export interface ChangedRow {
  readonly rule: string;
  readonly cells: readonly ChangedPart[];
}

/** `before` or `after` is absent where only the other table has it. */
export interface ChangedPart {
  /** Such as `version`; of a row `note`, `from`, `until`, or the column: its path, after `→ ` that of an output. */
  readonly name: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface ChangedResult {
  /** Passes validation. */
  readonly input: unknown;
  /** ISO 8601 instant of the call, where rows aren't always in force. */
  readonly now?: string;
  readonly before: TableResult;
  readonly after: TableResult;
}

/**
 * Compares two tables: their rows, and the results of all inputs. Each result that differs was confirmed by evaluating an input with
 * both; where none is listed and nothing is `undecided`, the tables have the same result for every input.
 *
 * It blocks as {@link analyzeTable} does.
 *
 * @param before - that `readTable` or `defineTable` made
 * @param after - of the same contract
 * @throws DecernError `INVALID_OPTIONS` for decisions that tables of one contract don't make, and for a profile that breaks its schema
 *
 * @example
 * ```ts
 * const { changed, results } = diffTables(readTable(contract, old), readTable(contract, edited));
 * for (const { input, before, after } of results) console.log(input, before.data, after.data);
 * ```
 */
export function diffTables(before: Decision, after: Decision, options: AnalyzeOptions = {}): TableDiff {
  const [one, other] = [tableOf(before, "/before"), tableOf(after, "/after")];
  if (before.id !== after.id || before.inputSchema !== after.inputSchema)
    throw invalid("/after", "must have the contract of the other table");
  const settings = settingsOf(after, options);
  const results = new Map<string, ChangedResult>();
  const { undecided } = changedResults(comparedTables(one, other), {
    ...settings,
    inputSchema: before.inputSchema,
    isDifferent: (witness) => {
      const call = {
        input: witness.witness,
        profile: options.profile,
        nowMs: witness.now === undefined ? 0 : Date.parse(witness.now),
      };
      const [old, now] = [before, after].map((decision) => resultOf(decision, call));
      if (old === undefined || now === undefined || isSameResult(old, now)) return false;
      const key = JSON.stringify([old.rules, now.rules]);
      const { witness: input, ...when } = witness;
      if (!results.has(key)) results.set(key, { input, ...when, before: old, after: now });
      return true;
    },
  });
  return { ...changesOf(one.document, other.document), results: [...results.values()], undecided };
}

function changesOf(
  one: TableDocument,
  other: TableDocument,
): Pick<TableDiff, "added" | "removed" | "changed" | "moved" | "metadata"> {
  const before = new Map(one.rules.map((row, place) => [row.id, { row, place }]));
  const ids = new Set(other.rules.map(({ id }) => id));
  const common = other.rules.flatMap((row, place) => {
    const old = before.get(row.id);
    return old === undefined ? [] : [{ row, old: old.row, pair: [old.place, place] as const }];
  });
  const inOrder = new Set(inSameOrder(common.map(({ pair }) => pair)).map(([, place]) => place));
  return {
    added: other.rules.flatMap(({ id }) => (before.has(id) ? [] : [id])),
    removed: one.rules.flatMap(({ id }) => (ids.has(id) ? [] : [id])),
    changed: common.flatMap(({ row, old }) => {
      const cells = changedParts(cellsOf(one, old), cellsOf(other, row));
      return cells.length === 0 ? [] : [{ rule: row.id, cells }];
    }),
    moved: common.flatMap(({ row, pair: [, place] }) => (inOrder.has(place) ? [] : [row.id])),
    metadata: changedParts(metadataOf(one), metadataOf(other)),
  };
}

type Parts = ReadonlyMap<string, unknown>;

function cellsOf({ inputs, outputs }: TableDocument, row: TableRow): Parts {
  return new Map<string, unknown>([
    ...inputs.map(({ path }, at) => [path, row.if[at]] as const).filter(([, cell]) => cell !== "-"),
    ...outputs.map(({ path }, at) => [`→ ${path}`, row.then[at]] as const).filter(([, cell]) => cell !== ""),
    ["from", row.from],
    ["until", row.until],
    ["note", row.note],
  ]);
}

function metadataOf(document: TableDocument): Parts {
  const { version, hitPolicy, inputs, outputs, default: cells } = document;
  const labels = [
    ...inputs.map(({ path, label }) => [`label of ${path}`, label] as const),
    ...outputs.map(({ path, label }) => [`label of → ${path}`, label] as const),
    ...outputs.map(({ path, priority }) => [`priority of → ${path}`, priority] as const),
  ];
  return new Map<string, unknown>([
    ["version", version],
    ["hit policy", hitPolicy],
    ["inputs", inputs.map(({ path }) => path)],
    ["outputs", outputs.map(({ path }) => path)],
    ["default", cells],
    ...labels,
  ]);
}

function changedParts(before: Parts, after: Parts): readonly ChangedPart[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    if (isSameJson(old, now)) return [];
    return [
      { name, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) },
    ];
  });
}
