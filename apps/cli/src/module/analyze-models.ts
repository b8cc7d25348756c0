import { analyzeDmnTables, type DmnDocument, type DmnOptions, type DmnTableAnalysis } from "@decern/dmn";
import type { TableAnalysis } from "@decern/table";
import { openTable } from "@decern/table/browser";

/**
 * Analyses the tables of models that can be loaded.
 *
 * @throws DecernError for others
 */
export function analyzeModels(
  documents: readonly DmnDocument[],
  options: Pick<DmnOptions, "dialect">,
): readonly DmnTableAnalysis<TableAnalysis>[] {
  return analyzeDmnTables(
    documents,
    ({ contract, document }) => {
      // The document is not kept, so its hash means nothing.
      const table = openTable(contract, { hash: "", mediaType: "application/json", document });
      return "problems" in table
        ? { notAnalysed: table.problems.map(({ message }) => message).join("; ") }
        : { findings: table.analyze({}) };
    },
    options,
  );
}
