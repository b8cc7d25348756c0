import { spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Spawns a script that listens on `port`, and waits for the first 200.
 *
 * @returns milliseconds from spawn to that answer
 */
export async function coldStart(
  script: string,
  parameters: readonly string[],
  port: number,
): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [script, ...parameters], { stdio: "ignore" });
  const ended = once(child, "exit");
  try {
    while ((await statusOf(port)) !== 200) {
      if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}`);
      await sleep(2);
    }
    return performance.now() - began;
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

function statusOf(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get({ port, host: "127.0.0.1", path: "/", agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", () => resolve(undefined));
  });
}
