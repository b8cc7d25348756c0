import { NotAnalysed } from "./analysis/plain-cells.js";
import { type PlainTable, plainTable } from "./analysis/plain-table.js";
import { ownTables } from "./graph/tables.js";
import { checkDocuments, type DmnDocument, type DmnOptions, settingsOf } from "./options.js";
import { readProgram, refuseProblems } from "./read-program.js";

/** What an analysis of tables says of one: what it found, or in a sentence's end why it could not analyse it. */
export type TableOutcome<Findings> = { readonly findings: Findings } | { readonly notAnalysed: string };

/** A decision table of a model, after its analysis. */
export type DmnTableAnalysis<Findings> = TableOutcome<Findings> & {
  /** The name of the decision or the business knowledge model, and those of the context entries that the table is in. */
  readonly decision: string;
  /** The document's name. */
  readonly file: string;
  readonly line: number;
};

/**
 * Analyses the decision tables of models, as far as their cells are plain: numbers, texts, booleans, dates, and ranges of them. What
 * a column calculates, and what a required decision returns, can be any value of its type. Null is left out: that a table has no row
 * for null is not reported.
 *
 * @param analyze - takes a table in the form of `@decern/table`
 * @throws DecernError as `loadDmn` does
 *
 * @example
 * ```ts
 * import { openTable } from "@decern/table/browser";
 *
 * const tables = analyzeDmnTables(documents, ({ contract, document }) => {
 *   const table = openTable(contract, { hash: "", mediaType: "application/json", document });
 *   return "problems" in table ? { notAnalysed: table.problems.join("; ") } : { findings: table.analyze({}) };
 * });
 * ```
 */
export function analyzeDmnTables<Findings>(
  documents: readonly DmnDocument[],
  analyze: (table: PlainTable) => TableOutcome<Findings>,
  options: Pick<DmnOptions, "dialect"> = {},
): readonly DmnTableAnalysis<Findings>[] {
  checkDocuments(documents);
  const { program, problems } = readProgram(documents, settingsOf(options).dialect);
  refuseProblems(problems, documents);
  if (program === undefined) return [];
  return program.elements.flatMap((linked) =>
    ownTables(linked).map((table) => {
      const place = { decision: table.path, file: linked.model.file, line: table.box.line };
      try {
        return { ...place, ...analyze(plainTable(table, linked, program)) };
      } catch (error) {
        if (!(error instanceof NotAnalysed)) throw error;
        return { ...place, notAnalysed: error.message };
      }
    }),
  );
}
