import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "../../src/command-line/run-command-line.js";
import { allCommands } from "../../src/commands/all-commands.js";
import { memoryIo } from "./memory-io.js";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface DecernOptions {
  readonly cwd?: string;
  /** Sent to standard input. @default nothing */
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Path of the Node that runs it. @default this one */
  readonly node?: string;
  /** For Node itself. */
  readonly nodeArgs?: readonly string[];
  /** Path of the built command. @default that of this package */
  readonly main?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the built command, with only the given environment. */
export function startDecern(args: readonly string[], options: DecernOptions = {}) {
  const { cwd, input = "", env = {}, node = process.execPath, nodeArgs = [] } = options;
  const child = spawn(node, [...nodeArgs, options.main ?? main, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
    stdio: "pipe",
  });
  // A command that ends without reading closes its end.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return child;
}

/** Runs the built command to its end, in a process of its own. */
export async function decernProcess(args: readonly string[], options: DecernOptions = {}): Promise<Ended> {
  const child = startDecern(args, options);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

/**
 * Runs the command to its end in this process: for a module of JavaScript that stays as it is, in a fraction of the time that a
 * process takes to start.
 */
export async function decern(
  args: readonly string[],
  { cwd = process.cwd(), input = "", env = {} }: Pick<DecernOptions, "cwd" | "input" | "env"> = {},
): Promise<Ended> {
  const stdin = Readable.from(input === "" ? [] : [Buffer.from(input)], { objectMode: false });
  const io = memoryIo({ cwd, env, stdin });
  const code = await runCommandLine(allCommands, args, io);
  return { code, ...(await io.read()) };
}
