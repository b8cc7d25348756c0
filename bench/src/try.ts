import { fullSizes } from "./sizes.js";
import { generatedRulesTable } from "./tables/generated-rules.js";
import { evaluatorTable, loanTable } from "./tables/loan.js";
import { printTable } from "./tables/print.js";

const which = process.argv[2] ?? "";
if (which === "mix" || which === "one outcome" || which === "invalid")
  console.log(printTable(await loanTable(which, fullSizes)));
if (which === "eval") console.log(printTable(await evaluatorTable(fullSizes)));
if (which === "w2") console.log(printTable(await generatedRulesTable(fullSizes)));
