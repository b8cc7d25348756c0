import {
  analyzeDmnTables,
  type DmnDocument,
  type DmnFinding,
  type DmnOptions,
  type DmnTableAnalysis,
} from "@decern/dmn";
import type { TableAnalysis } from "@decern/table";
import { openTable } from "@decern/table/browser";
import { showAnalysis } from "../text/show-table.js";

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

const mostShown = 120;

/** A finding in a line. */
export function findingText({ severity, file, line, element, message, expression }: DmnFinding): string {
  const name = element === undefined ? "" : `"${element}": `;
  return `${severity === "warning" ? "warning: " : ""}${file}, line ${line}: ${name}${message}${quote(expression)}`;
}

/** What the analysis of a table found, or why there is none. */
export function tableLines(table: DmnTableAnalysis<TableAnalysis>): readonly string[] {
  const place = `${table.file}, line ${table.line}: "${table.decision}"`;
  return "findings" in table
    ? showAnalysis(table.findings).map((line) => `${place}: ${line}`)
    : [`${place} is not analysed: ${table.notAnalysed}`];
}

function quote(expression: string | undefined): string {
  if (expression === undefined) return "";
  const line = expression.trim().replaceAll(/\s+/g, " ");
  return ` in: ${line.length > mostShown ? `${line.slice(0, mostShown)}…` : line}`;
}
