import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("./slow-service.mjs", import.meta.url));
/** What one evaluation of the slow service takes of the processor, and so what it can do in a second. */
const millisecondsEach = 5;
const capacity = 1000 / millisecondsEach;
const seconds = 5;

/** Connections are kept, as proxies do. */
const agent = new Agent({ keepAlive: true });

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly afterMs: number;
}

function ask(port: number, path: string, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ port, host: "127.0.0.1", path, method, agent }, (reply) => {
      reply.resume().on("end", () => {
        const retryAfter = reply.headers["retry-after"];
        resolve({ status: reply.statusCode ?? 0, retryAfter, afterMs: performance.now() - started });
      });
    });
    sent.on("error", reject);
    if (body !== undefined) sent.setHeader("content-type", "application/json");
    sent.end(body);
  });
}

it("at twice what it can do, sheds the rest with 503 and Retry-After, keeps answering the others in time, and health too", async () => {
  const child = spawn(process.execPath, [script, String(millisecondsEach)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(child.stdout.setEncoding("utf8"), "data");
    const port = Number(/:(\d+)\/decisions/.exec(String(line))?.[1]);
    const answers: Promise<Answer>[] = [];
    const health: Promise<Answer>[] = [];
    const started = performance.now();
    // An open loop: what arrives does not wait for what was answered.
    while (performance.now() - started < seconds * 1000) {
      const due = ((performance.now() - started) / 1000) * capacity * 2;
      while (answers.length < due) answers.push(ask(port, "/decisions/slow", '{"input":{}}'));
      if (health.length < (performance.now() - started) / 250) health.push(ask(port, "/health/ready"));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const all = await Promise.all(answers);
    const served = all.filter(({ status }) => status === 200);
    const shed = all.filter(({ status }) => status === 503);
    const slowest = (of: readonly Answer[]): number => Math.max(...of.map(({ afterMs }) => afterMs));
    const probes = await Promise.all(health);
    console.log(
      `overload: ${all.length} asked, ${served.length} served within ${slowest(served).toFixed(0)} ms, ` +
        `${shed.length} shed within ${slowest(shed).toFixed(0)} ms, health within ${slowest(probes).toFixed(0)} ms`,
    );
    expect(served.length + shed.length).toBe(all.length);
    expect(shed.length).toBeGreaterThan(all.length / 10);
    expect(served.length).toBeGreaterThan(all.length / 10);
    expect(new Set(shed.map(({ retryAfter }) => retryAfter))).toEqual(new Set(["1"]));
    expect(probes.every(({ status }) => status === 200)).toBe(true);
    // Without shedding the queue would have grown to as many seconds as the load lasted.
    expect(slowest(all)).toBeLessThan((seconds * 1000) / 2);
    expect(slowest(probes)).toBeLessThan((seconds * 1000) / 2);
  } finally {
    child.kill("SIGKILL");
    agent.destroy();
  }
});
