#!/usr/bin/env node

import { run } from "./run.js";

const { argv, stdin, stdout, stderr } = process;

// A project is written without a pause, so a signal comes before or after, and never leaves a part of it.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

process.exitCode = await run(argv.slice(2), {
  stdin,
  stdout,
  stderr,
  cwd: process.cwd(),
  isInteractive: stdin.isTTY === true && stdout.isTTY === true,
});
