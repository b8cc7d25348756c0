import { readFile } from "node:fs/promises";
import { withoutPasswords } from "../text/without-passwords.js";
import { chooseCommand } from "./choose-command.js";
import { type Command, CommandError, type CommandIo, exitCodes } from "./command.js";
import { commandHelp, commandsHelp } from "./help.js";
import { parseCall } from "./parse-call.js";
import { sentenceOf } from "./sentence-of.js";
import { StopRequest } from "./stop-request.js";
import { writeText } from "./write-text.js";

/** Runs what stands on a command line. Returns the exit code, and never rejects. */
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

/** What a package says of its options, by the names that they have on the command line. */
function aboutOptions(error: unknown, { options }: Command): unknown {
  const isRefusal = error instanceof Error && "code" in error && error.code === "INVALID_OPTIONS";
  const problems: unknown = isRefusal && "problems" in error ? error.problems : undefined;
  if (!Array.isArray(problems) || problems.length === 0) return error;
  const sentences = problems.map((problem: unknown) => {
    const { path, message } = Object(problem);
    const [, option = "", ...within] = String(path).split("/");
    const name = option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    // What is no option was an argument, or is in the module: the name of a function tells the user nothing.
    if (!Object.hasOwn(options, name)) return path === "" ? `${message}` : `${path}: ${message}`;
    return within.length === 0 ? `--${name} ${message}` : `--${name} /${within.join("/")}: ${message}`;
  });
  return new CommandError(sentences.join("; "), { cause: error });
}

async function print(text: string, { stdout }: CommandIo): Promise<number> {
  await writeText(stdout, text);
  return exitCodes.ok;
}

async function ownVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return hasVersion ? String(manifest.version) : "unknown";
}
