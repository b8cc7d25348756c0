import { once } from "node:events";
import { Agent, request } from "node:http";
import { afterAll, expect, it } from "vitest";
import { requestBody } from "../support/requests.js";
import { killAll, type Service, startService, stop } from "../support/service.js";
import { ConnectionBalancer } from "./connection-balancer.js";

afterAll(killAll);

const body = requestBody("loan-approval/prime.json");

/** Clients that keep their connections, each with one request at a time. */
function startClients(port: number, count: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const answers = new Map<string, number>();
  let isOver = false;
  const call = async (): Promise<string> => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    const sent = request({
      port,
      host: "127.0.0.1",
      path: "/decisions/loan-approval",
      method: "POST",
      agent,
      headers,
    });
    sent.end(body);
    const [reply] = await once(sent, "response");
    reply.resume();
    await once(reply, "end");
    return String(reply.statusCode);
  };
  const work = Array.from({ length: count }, async () => {
    while (!isOver) {
      const answer = await call().catch(String);
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  });
  return {
    answers,
    answered: () => [...answers.values()].reduce((sum, each) => sum + each, 0),
    end: async () => {
      isOver = true;
      await Promise.all(work);
      agent.destroy();
    },
  };
}

/** How many evaluations a process has counted. */
async function evaluationsOf({ url }: Service): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text();
  const counts = [...page.matchAll(/^engine_evaluations_total\{[^}]*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Two processes under load, to which a third is added. */
async function addedProcess(maxAgeMs: number) {
  const start = () => startService(["--max-connection-age", String(maxAgeMs)]);
  const fleet = await Promise.all([start(), start()]);
  const balancer = new ConnectionBalancer(fleet.map(({ port }) => port));
  const clients = startClients(await balancer.listen(), 24);
  await expect.poll(clients.answered).toBeGreaterThan(200);
  const added = await start();
  balancer.ports.push(added.port);
  fleet.push(added);
  return {
    clients,
    /** The share of each process in the next requests; that of the new one comes last. */
    shares: async (requests: number): Promise<readonly number[]> => {
      const before = await Promise.all(fleet.map(evaluationsOf));
      const until = clients.answered() + requests;
      await expect.poll(clients.answered).toBeGreaterThanOrEqual(until);
      const after = await Promise.all(fleet.map(evaluationsOf));
      const served = after.map((count, index) => count - (before[index] ?? 0));
      const all = served.reduce((sum, each) => sum + each, 0);
      return served.map((each) => each / all);
    },
    end: async () => {
      await clients.end();
      balancer.close();
      await Promise.all(fleet.map((service) => stop(service)));
    },
  };
}

it("a process that is added to a fleet gets its share of clients that keep their connections", async () => {
  const fleet = await addedProcess(500);
  let last: readonly number[] = [];
  await expect
    .poll(async () => {
      last = await fleet.shares(400);
      // A fair share is a third.
      return Math.min(...last);
    })
    .toBeGreaterThan(0.2);
  await fleet.end();
  console.log(`shares: ${last.map((share) => share.toFixed(2)).join(", ")}`);
  expect([...fleet.clients.answers.keys()]).toEqual(["200"]);
});

it("without an age that ends connections, it gets nothing", async () => {
  const fleet = await addedProcess(86_400_000);
  const shares = await fleet.shares(300);
  await fleet.end();
  expect(shares.at(-1)).toBe(0);
  expect([...fleet.clients.answers.keys()]).toEqual(["200"]);
});
