import type { Command } from "../command-line/command.js";
import { bulkCommand } from "./bulk.js";
import { completionCommand } from "./completion.js";
import { dmnCheckCommand, dmnTestCommand } from "./dmn.js";
import { evalCommand } from "./eval.js";
import { exploreCommand } from "./explore.js";
import { lintCommand } from "./lint.js";
import { lockCommand } from "./lock.js";
import { logEraseCommand, logFindCommand, logShowCommand, logStatsCommand, logVerifyCommand } from "./log.js";
import { profilesCheckCommand } from "./profiles-check.js";
import { replayCommand } from "./replay.js";
import { openapiCommand, serveCommand } from "./serve.js";
import { tableCheckCommand, tableConvertCommand, tableCoverageCommand, tableNewCommand } from "./table.js";
import { tableDiffCommand } from "./table-diff.js";
import { workerCommand } from "./worker.js";

/** Every command, in the order in which help lists them. */
export const allCommands: readonly Command[] = [
  serveCommand,
  workerCommand,
  evalCommand,
  bulkCommand,
  profilesCheckCommand,
  tableCheckCommand,
  tableConvertCommand,
  tableNewCommand,
  tableDiffCommand,
  tableCoverageCommand,
  dmnCheckCommand,
  dmnTestCommand,
  replayCommand,
  lockCommand,
  exploreCommand,
  lintCommand,
  logFindCommand,
  logShowCommand,
  logVerifyCommand,
  logEraseCommand,
  logStatsCommand,
  openapiCommand,
  completionCommand,
];
