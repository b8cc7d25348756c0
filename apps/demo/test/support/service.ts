import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const running = new Set<ChildProcess>();
process.once("exit", killAll);

/** Ends every process that was started. Call it in `afterAll`. */
export function killAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

export interface Process {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** Resolves with the first match of `pattern` in the output; rejects if the process ends first. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Resolves when the process has ended and all its output was read. */
  ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts any program with only the given environment. */
export function startProcess(
  file: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Process {
  const child = spawn(file, args, {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let output = "";
  let wake = (): void => {};
  const onText = (text: string): void => {
    output += text;
    wake();
  };
  child.stdout.setEncoding("utf8").on("data", onText);
  child.stderr.setEncoding("utf8").on("data", onText);
  const ended = once(child, "close").then(() => {
    running.delete(child);
    wake();
    return { code: child.exitCode, signal: child.signalCode };
  });
  return {
    child,
    ended,
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        wake = () => {
          const match = output.match(pattern);
          const over = !running.has(child);
          if (match === null && !over) return;
          if (match === null) reject(new Error(`Ended before it printed ${pattern}:\n${output}`));
          else resolve(match);
        };
        wake();
      }),
  };
}

/** Starts a script of the built demo without waiting for it. */
export function startScript(
  script: string,
  args: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  command: CommandOf = (file, rest) => [file, rest],
): Process {
  const path = fileURLToPath(new URL(`../../dist/${script}.js`, import.meta.url));
  return startProcess(...command(process.execPath, [path, ...args]), environment);
}

/** Turns a command into another that runs it, such as in a control group. */
export type CommandOf = (file: string, args: readonly string[]) => readonly [string, readonly string[]];

export interface Service extends Process {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
}

/** The built service on a free port of the loopback interface, listening. */
export async function startService(
  args: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  command?: CommandOf,
): Promise<Service> {
  const service = startScript("main", ["--port", "0", "--host", "127.0.0.1", ...args], environment, command);
  const [, port] = await service.printed(/http:\/\/127\.0\.0\.1:(\d+)\/docs/);
  return { ...service, url: `http://127.0.0.1:${port}`, port: Number(port) };
}

/** Stops a service as an orchestrator would. */
export function stop(service: Process, signal: NodeJS.Signals = "SIGTERM"): Process["ended"] {
  service.child.kill(signal);
  return service.ended;
}
