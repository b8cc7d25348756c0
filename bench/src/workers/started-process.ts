import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Starts a program of somebody else.
 *
 * @param isReady - told everything that it has written to standard error so far
 * @returns the process, and what it had written when it was ready
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  isReady: (output: string) => boolean,
  options: { readonly uid?: number; readonly gid?: number; readonly cwd?: string } = {},
): Promise<{ readonly output: string; stop(signal: NodeJS.Signals): Promise<void> }> {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  const output = await readyOutput(program, child, isReady);
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  return {
    output,
    async stop(signal) {
      process.off("exit", end);
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
  };
}

function readyOutput(
  program: string,
  child: ChildProcess,
  isReady: (output: string) => boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      // What it says later must be read, but not kept.
      if (output.length < 100_000) output += text;
      if (isReady(output)) resolve(output);
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${program} did not start:\n${output}`)));
  });
}
