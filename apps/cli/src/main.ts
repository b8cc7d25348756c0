#!/usr/bin/env node

import { Console } from "node:console";
import { processIo, reportEarlyExit, runCommandLine } from "./command-line/run-command-line.js";
import { allCommands } from "./commands/all-commands.js";

// Standard output is for data: what servers and modules say goes to standard error.
globalThis.console = new Console(process.stderr);

const done = reportEarlyExit();

const code = await runCommandLine(allCommands, process.argv.slice(2), processIo());

done();

// What a module left open, such as a timer or a pool, must not keep the process alive.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
