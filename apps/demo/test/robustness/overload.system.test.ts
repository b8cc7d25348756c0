import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("./slow-service.mjs", import.meta.url));
/** Processor time of one evaluation of the slow service. */
const millisecondsEach = 5;
/** Evaluations to request. */
const total = 1000;
/** Evaluations per health check. */
const perProbe = 50;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

function ask(port: number, agent: Agent, path: string, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ port, host: "127.0.0.1", path, method, agent }, (reply) => {
      const retryAfter = reply.headers["retry-after"];
      reply.resume().on("end", () => resolve({ status: reply.statusCode ?? 0, retryAfter }));
    });
    sent.on("error", reject);
    if (body !== undefined) sent.setHeader("content-type", "application/json");
    sent.end(body);
  });
}

/** Sends twice the load that the machine can serve: two more requests for each one served. */
async function overload(port: number, agent: Agent) {
  const answers: Answer[] = [];
  const probes: Promise<Answer>[] = [];
  let sent = 0;
  let most = 0;
  await new Promise<void>((resolve, reject) => {
    const send = (count: number): void => {
      for (let left = count; left > 0 && sent < total; left -= 1) {
        if (sent % perProbe === 0) probes.push(ask(port, agent, "/health/ready"));
        sent += 1;
        most = Math.max(most, sent - answers.length);
        ask(port, agent, "/decisions/slow", '{"input":{}}').then((answer) => {
          answers.push(answer);
          if (answer.status === 200) send(2);
          // Replaces the load that was shed.
          if (sent === answers.length) send(8);
          if (answers.length === total) resolve();
        }, reject);
      }
    };
    send(8);
  });
  return { answers, probes: await Promise.all(probes), most };
}

it("at twice its capacity, sheds the excess with 503 and Retry-After, and keeps serving the rest and health checks", async () => {
  const child = spawn(process.execPath, [script, String(millisecondsEach)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // Connections are reused, as proxies do.
  const agent = new Agent({ keepAlive: true });
  try {
    const [line] = await once(child.stdout.setEncoding("utf8"), "data");
    const port = Number(/:(\d+)\/decisions/.exec(String(line))?.[1]);
    const { answers, probes, most } = await overload(port, agent);
    const served = answers.filter(({ status }) => status === 200);
    const shed = answers.filter(({ status }) => status === 503);
    console.log(`overload: ${served.length} served, ${shed.length} shed, ${most} waited at most`);
    expect(served.length + shed.length).toBe(total);
    expect(served.length).toBeGreaterThan(0);
    // Without shedding, each served request would leave one more waiting, so half of them would wait in the end.
    expect(shed.length).toBeGreaterThan(0);
    expect(most).toBeLessThan(total / 4);
    expect(new Set(shed.map(({ retryAfter }) => retryAfter))).toEqual(new Set(["1"]));
    expect(probes).toHaveLength(total / perProbe);
    expect(probes.every(({ status }) => status === 200)).toBe(true);
  } finally {
    child.kill("SIGKILL");
    agent.destroy();
  }
});
