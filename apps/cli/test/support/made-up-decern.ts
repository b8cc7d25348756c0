import { processIo, runCommandLine } from "../../src/command-line/run-command-line.js";
import { madeUpCommands } from "./made-up-commands.js";

process.exitCode = await runCommandLine(madeUpCommands, process.argv.slice(2), processIo());
