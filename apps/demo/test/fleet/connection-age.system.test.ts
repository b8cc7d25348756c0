import { afterAll, expect, it } from "vitest";
import { killAll, startService, stop } from "../support/service.js";
import { ConnectionBalancer } from "./connection-balancer.js";
import { KeepAliveClients } from "./keep-alive-clients.js";
import { sharesOf, spread } from "./shares.js";

afterAll(killAll);

/** Two processes under load, to which a third is added. */
async function addedProcess(maxAgeMs: number) {
  const start = () => startService(["--max-connection-age", String(maxAgeMs)]);
  const fleet = await Promise.all([start(), start()]);
  const balancer = await ConnectionBalancer.start(fleet.map(({ port }) => port));
  const clients = new KeepAliveClients(balancer.port, 24);
  await expect.poll(() => clients.served.length).toBeGreaterThan(200);
  fleet.push(await start());
  await balancer.spread(fleet.map(({ port }) => port));
  return {
    fleet,
    clients,
    end: async () => {
      await clients.end();
      await balancer.stop();
      await Promise.all(fleet.map((service) => stop(service)));
    },
  };
}

it("a process that is added to a fleet gets its share of clients that keep their connections", async () => {
  const { fleet, clients, end } = await addedProcess(500);
  // A fair share is a third.
  const shares = await spread(fleet, clients, 0.2);
  await end();
  console.log(`shares: ${shares}`);
  expect([...clients.outcomes.keys()]).toEqual(["200"]);
});

it("without an age that ends connections, it gets nothing", async () => {
  const { fleet, clients, end } = await addedProcess(86_400_000);
  const shares = await sharesOf(fleet, clients, 300);
  await end();
  expect(shares.at(-1)).toBe(0);
  expect([...clients.outcomes.keys()]).toEqual(["200"]);
});
