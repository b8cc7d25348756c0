import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { requestBody } from "../support/requests.js";
import { killAll, startProcess, stop } from "../support/service.js";

afterAll(killAll);
/** Set `KILLS=20` for more. */
const times = Number(process.env["KILLS"] ?? 8);
const clients = 32;
const body = requestBody("loan-approval/prime.json");
const script = fileURLToPath(new URL("./audited-service.mjs", import.meta.url));

/**
 * The outcome of a request for its client. `no reply` is a connection that was refused or ended before any reply. That happens to
 * connections queued in the kernel when a server stops listening. The test checks later whether the server evaluated it.
 */
type Answer = "answered" | "refused" | "no reply" | "cut";

/** One evaluation. `cut` must never occur: a truncated reply, or one that is not from the service. */
function evaluate(port: number, agent: Agent, id: string): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "x-request-id": id };
    const options = {
      port,
      host: "127.0.0.1",
      path: "/decisions/loan-approval",
      method: "POST",
      agent,
      headers,
    };
    const sent = request(options, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      reply.on("error", () => resolve("cut"));
      reply.on("end", () => {
        if (reply.statusCode === 200 && text.endsWith("}]}}") && reply.headers["x-request-id"] === id)
          resolve("answered");
        else
          resolve(reply.statusCode === 503 && reply.headers["retry-after"] !== undefined ? "refused" : "cut");
      });
    });
    sent.on("error", () => resolve("no reply"));
    sent.end(body);
  });
}

it(`SIGTERM under load, ${times} times: every accepted request gets a reply, and the exit code is 0`, async () => {
  const counts = { answered: 0, refused: 0, "no reply": 0, cut: 0 };
  const unanswered: string[] = [];
  for (let run = 0; run < times; run += 1) {
    const service = startProcess(process.execPath, [script]);
    const [, text] = await service.printed(/http:\/\/127\.0\.0\.1:(\d+)\/docs/);
    const answered = new Set<string>();
    const work = Array.from({ length: clients }, async (_, client) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let index = 0; ; index += 1) {
        const id = `${run}-${client}-${index}`;
        const answer = await evaluate(Number(text), agent, id);
        counts[answer] += 1;
        if (answer === "answered") answered.add(id);
        else break;
      }
      agent.destroy();
    });
    // Each run stops at a different moment. The service closes without a time limit, so it must end by itself.
    await expect.poll(() => answered.size).toBeGreaterThan(clients * (2 + run));
    expect(await stop(service)).toEqual({ code: 0, signal: null });
    await Promise.all(work);
    const evaluated =
      service
        .output()
        .match(/^evaluated (.*)$/m)?.[1]
        ?.split(" ") ?? [];
    expect(evaluated.length).toBeGreaterThanOrEqual(answered.size);
    unanswered.push(...evaluated.filter((id) => !answered.has(id)));
  }
  console.log(`SIGTERM ${times} times under ${clients} clients: ${JSON.stringify(counts)}`);
  expect(unanswered).toEqual([]);
  expect(counts.cut).toBe(0);
});
