import { Agent, request } from "node:http";
import { afterAll, expect, it } from "vitest";
import { requestBody } from "../support/requests.js";
import { killAll, startService, stop } from "../support/service.js";

afterAll(killAll);
const times = 20;
const clients = 32;
const body = requestBody("loan-approval/prime.json");

type Answer = "answered" | "refused" | "told to go" | "cut";

/** One evaluation. `cut` is what may never be: accepted, and not answered completely. */
function evaluate(port: number, agent: Agent): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        host: "127.0.0.1",
        path: "/decisions/loan-approval",
        method: "POST",
        agent,
        headers: { "content-type": "application/json" },
      },
      (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        reply.on("error", () => resolve("cut"));
        reply.on("end", () => {
          if (reply.statusCode === 200 && text.endsWith("}]}}")) resolve("answered");
          else
            resolve(reply.statusCode === 503 && reply.headers.connection === "close" ? "told to go" : "cut");
        });
      },
    );
    // A kept connection that the server ended as the request left was idle for it: it has read nothing.
    sent.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ECONNREFUSED" || sent.reusedSocket ? "refused" : "cut");
    });
    sent.end(body);
  });
}

it(`SIGTERM under load, ${times} times: whatever was accepted is answered, and the exit code is 0`, async () => {
  const counts = { answered: 0, refused: 0, "told to go": 0, cut: 0 };
  for (let run = 0; run < times; run += 1) {
    const service = await startService();
    let going = true;
    const work = Array.from({ length: clients }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (going) {
        const answer = await evaluate(service.port, agent);
        counts[answer] += 1;
        if (answer === "refused") break;
      }
      agent.destroy();
    });
    await new Promise((resolve) => setTimeout(resolve, 100 + run * 10));
    const before = performance.now();
    expect(await stop(service)).toEqual({ code: 0, signal: null });
    expect(performance.now() - before).toBeLessThan(10_000);
    going = false;
    await Promise.all(work);
  }
  console.log(`SIGTERM ${times} times under ${clients} clients: ${JSON.stringify(counts)}`);
  expect(counts.cut).toBe(0);
  expect(counts.answered).toBeGreaterThan(times * clients);
});
