import type { CommandIo } from "./command.js";
import { StopRequest } from "./stop-request.js";

/** The process that this program runs in. */
export function processIo(): CommandIo {
  const { stdin, stdout, stderr, env } = process;
  const stop = new AbortController();
  let listens = false;
  // The reader of the output, such as `head`, may stop reading. The rest is then not needed; but the reader must not take the
  // exit code for a verdict either, so it is the one of a program that SIGPIPE ended.
  stdout.on("error", (error) => {
    process.exit("code" in error && error.code === "EPIPE" ? 141 : 1);
  });
  return {
    stdin,
    stdout,
    stderr,
    cwd: process.cwd(),
    env,
    columns: columnsOf(stdout),
    showsProgress: stderr.isTTY === true && env["TERM"] !== "dumb",
    get progressColumns() {
      return columnsOf(stderr);
    },
    hasColor: hasColor(stdout.isTTY === true, env),
    // A command that never asks for the signal ends as any other process does.
    get signal() {
      if (!listens) {
        listens = true;
        stopOnSignals(stop);
      }
      return stop.signal;
    },
  };
}

/** Columns of a terminal. One without a size, such as that of `script`, says 0. */
function columnsOf({ isTTY, columns }: NodeJS.WriteStream): number | undefined {
  return isTTY && columns > 0 ? columns : undefined;
}

/** Aborts at the first signal; does not wait any longer at the second. */
function stopOnSignals(stop: AbortController): void {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      const reason = new StopRequest(name);
      if (stop.signal.aborted) process.exit(reason.exitCode);
      stop.abort(reason);
    });
  }
}

function hasColor(isTerminal: boolean, env: CommandIo["env"]): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  return isTerminal && env["TERM"] !== "dumb";
}
