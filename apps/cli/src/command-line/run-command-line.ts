import { writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { sentenceOf, withoutPasswords } from "../text/text.js";
import { type Command, CommandError, type CommandIo, exitCodes, StopRequest } from "./command.js";
import { completeWord, completions } from "./complete.js";
import { commandHelp, commandsHelp } from "./help.js";
import { writeText } from "./output.js";
import { chooseCommand, parseCall } from "./parse-call.js";

/** Runs a command line. Returns the exit code, and never rejects. */
export async function runCommandLine(
  commands: readonly Command[],
  args: readonly string[],
  io: CommandIo,
): Promise<number> {
  try {
    return await run(commands, args, io);
  } catch (error) {
    if (error instanceof StopRequest) return error.exitCode;
    const { DECERN_DEBUG: debug = "" } = io.env;
    const trace = error instanceof Error && debug !== "" ? `${withoutPasswords(String(error.stack))}\n` : "";
    await writeText(io.stderr, `decern: ${sentenceOf(error)}\n${trace}`);
    return exitCodes.broken;
  }
}

async function run(commands: readonly Command[], args: readonly string[], io: CommandIo): Promise<number> {
  const [first] = args;
  if (first === undefined) {
    await writeText(io.stderr, commandsHelp(commands, io));
    return exitCodes.broken;
  }
  if (first === "--version" || first === "-v") return await print(`${await ownVersion()}\n`, io);
  if (first === completeWord) return await print(completions(commands, args.slice(1)), io);
  const isHelp = first === "--help" || first === "-h" || first === "help";
  if (isHelp && args.length === 1) return await print(commandsHelp(commands, io), io);
  if (first.startsWith("-") && !isHelp) {
    throw new CommandError(
      `unknown option ${first}; put options after the command, as in "decern eval --help"`,
    );
  }
  // `decern help log find` is `decern log find --help`.
  const choice = chooseCommand(commands, isHelp ? args.slice(1) : args);
  if ("group" in choice) {
    const isAsked = isHelp || args.some((arg) => arg === "--help" || arg === "-h");
    const help = commandsHelp(choice.commands, io, choice.group);
    if (isAsked) return await print(help, io);
    await writeText(io.stderr, help);
    return exitCodes.broken;
  }
  const { command } = choice;
  const call = isHelp ? "help" : parseCall(command, choice.args);
  if (call === "help") return await print(commandHelp(command, io), io);
  return await command.run(call, io).catch((error: unknown) => {
    throw aboutOptions(error, command);
  });
}

/** Names a package's options as the command line does. */
function aboutOptions(error: unknown, { options }: Command): unknown {
  const isInvalid = error instanceof Error && "code" in error && error.code === "INVALID_OPTIONS";
  const problems: unknown = isInvalid && "problems" in error ? error.problems : undefined;
  if (!Array.isArray(problems) || problems.length === 0) return error;
  const sentences = problems.map((problem: unknown) => {
    const { path, message } = Object(problem);
    const [, option = "", ...within] = String(path).split("/");
    const name = option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    // Anything else was an argument, or is in the module: the name of a function would tell the user nothing.
    if (!Object.hasOwn(options, name)) return path === "" ? `${message}` : `${path}: ${message}`;
    return within.length === 0 ? `--${name} ${message}` : `--${name} /${within.join("/")}: ${message}`;
  });
  return new CommandError(sentences.join("; "), { cause: error });
}

async function print(text: string, { stdout }: CommandIo): Promise<number> {
  await writeText(stdout, text);
  return exitCodes.ok;
}

/** The version of this command, and of all packages that it was published with. */
export async function ownVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return hasVersion ? String(manifest.version) : "unknown";
}

/** The process that this program runs in. */
export function processIo(): CommandIo {
  const { stdin, stdout, stderr, env } = process;
  const stop = new AbortController();
  let listens = false;
  // The reader of the output, such as `head`, can stop reading. The exit code is then that of a program that SIGPIPE ended, so
  // that it can't be taken for the result of a check.
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

/** A terminal without a size, such as that of `script`, has 0 columns. */
function columnsOf({ isTTY, columns }: NodeJS.WriteStream): number | undefined {
  return isTTY && columns > 0 ? columns : undefined;
}

/** Aborts at the first signal; exits immediately at the second. */
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

/**
 * Reports a module that ends the process: `process.exit(0)` in a rule would look as if the command had done its work.
 *
 * @returns to be called once the command has ended
 */
export function reportEarlyExit(): () => void {
  const report = (code: number): void => {
    if (code !== 0) return;
    process.exitCode = 1;
    // Nothing asynchronous is written any more.
    writeSync(2, "decern: the module ended the process before the command was done\n");
  };
  process.once("exit", report);
  return () => void process.off("exit", report);
}
