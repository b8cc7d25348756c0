import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { PostgresWork } from "./postgres-work.js";

const script = fileURLToPath(new URL("./postgres-child.js", import.meta.url));

/** Lets so many workers, each a process of its own, answer `total` inputs together. @returns seconds until the last commit */
export async function secondsOfProcesses(
  workers: number,
  work: PostgresWork,
  total: number,
): Promise<number> {
  const children = Array.from({ length: workers }, () => fork(script, [JSON.stringify(work)]));
  try {
    // A worker that cannot start ends.
    const started = await Promise.all(children.map((child) => Promise.race([readyOf(child), endOf(child)])));
    if (started.some((code) => code !== "ready")) throw new Error("a worker did not start");
    const began = performance.now();
    await answered(children, total);
    const seconds = (performance.now() - began) / 1000;
    await Promise.all(children.map(endOf));
    return seconds;
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
}

async function readyOf(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, "message");
  return message;
}

async function endOf(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = await once(child, "exit");
  return code;
}

/** Tells the workers to begin, and resolves once they have committed `total` results. */
function answered(children: readonly ChildProcess[], total: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = total;
    for (const child of children) {
      child.on("message", (count: number) => {
        left -= count;
        if (left === 0) resolve();
      });
      child.once("exit", () => {
        if (left > 0) reject(new Error(`a worker ended with ${left} inputs left`));
      });
      child.send("begin");
    }
  });
}
