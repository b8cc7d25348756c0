import type { Sizes } from "../sizes.js";
import { generatedRulesTable } from "./generated-rules.js";
import { evaluatorTable, loanTable } from "./loan.js";
import type { Table } from "./table.js";

/** The tables that time calls within one process. */
export const inProcessTables: Readonly<Record<string, (sizes: Sizes) => Promise<Table>>> = {
  "w1-one": (sizes) => loanTable("one outcome", sizes),
  "w1-mix": (sizes) => loanTable("mix", sizes),
  "w1-invalid": (sizes) => loanTable("invalid", sizes),
  w2: generatedRulesTable,
  evaluator: evaluatorTable,
};
