import { spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyFor } from "./check-service.js";
import { ServiceProcess } from "./service-process.js";
import type { Service } from "./services.js";

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

/**
 * Starts a process that serves one service, and waits for its reply to an input.
 *
 * @returns milliseconds from spawn to that reply
 */
export async function firstReply(service: Service, input: unknown): Promise<number> {
  const began = performance.now();
  const started = await ServiceProcess.start(service);
  try {
    for (const { url } of started.services) {
      const body = bodyFor(service, input);
      const headers = { "content-type": "application/json" };
      const response = await fetch(url, { method: "POST", headers, body });
      if (response.status !== 200) throw new Error(`${service.name} replied ${response.status}`);
      await response.text();
    }
    return performance.now() - began;
  } finally {
    await started.stop();
  }
}
