import { bulkTable } from "./bulk.js";
import { dmnModelsTable } from "./dmn.js";
import { feeRowsTable } from "./fee-rows.js";
import { generatedRulesTable } from "./generated-rules.js";
import type { InProcessTable } from "./in-process-table.js";
import { evaluatorTable, loanTable } from "./loan.js";
import { logTable } from "./log.js";
import { replayTable } from "./replay.js";
import { searchTable } from "./search.js";

/** The tables that time calls within a process. */
export const inProcessTables: Readonly<Record<string, InProcessTable>> = {
  "w1-mix": loanTable("mix"),
  "w1-invalid": loanTable("invalid"),
  w2: generatedRulesTable,
  w4: feeRowsTable,
  dmn: dmnModelsTable,
  evaluator: evaluatorTable,
  log: logTable,
  search: searchTable,
  replay: replayTable,
  bulk: bulkTable,
};
