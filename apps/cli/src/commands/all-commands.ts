import type { Command } from "../command-line/command.js";
import { bulkCommand } from "./bulk.js";
import { completionCommand } from "./completion.js";
import { evalCommand } from "./eval.js";
import { exploreCommand } from "./explore.js";
import { lockCommand } from "./lock.js";
import { logEraseCommand } from "./log-erase.js";
import { logFindCommand } from "./log-find.js";
import { logShowCommand } from "./log-show.js";
import { logStatsCommand } from "./log-stats.js";
import { logVerifyCommand } from "./log-verify.js";
import { openapiCommand } from "./openapi.js";
import { profilesCheckCommand } from "./profiles-check.js";
import { replayCommand } from "./replay.js";
import { serveCommand } from "./serve.js";
import { workerCommand } from "./worker.js";

/** Every command, in the order in which help lists them. */
export const allCommands: readonly Command[] = [
  serveCommand,
  workerCommand,
  evalCommand,
  bulkCommand,
  profilesCheckCommand,
  replayCommand,
  lockCommand,
  exploreCommand,
  logFindCommand,
  logShowCommand,
  logVerifyCommand,
  logEraseCommand,
  logStatsCommand,
  openapiCommand,
  completionCommand(() => allCommands),
];
