import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { recordedIds } from "../support/recorded-ids.js";
import { killAll, type Service, startService, stop } from "../support/service.js";
import { ConnectionBalancer } from "./connection-balancer.js";
import { KeepAliveClients } from "./keep-alive-clients.js";
import { sharesOf, spread } from "./shares.js";

const folder = mkdtempSync(join(tmpdir(), "decern-restart-"));
afterAll(() => {
  killAll();
  rmSync(folder, { recursive: true, force: true });
});

it("a rolling restart behind a balancer of connections loses nothing, evaluates nothing twice, and spreads the load again", async () => {
  const records = join(folder, "records");
  // Without a shadow, each evaluation has one record.
  const flags = ["--max-connection-age", "500", "--roll-out", "100", "--records", records];
  const fleet: Service[] = await Promise.all([startService(flags), startService(flags)]);
  const balancer = await ConnectionBalancer.start(fleet.map(({ port }) => port));
  const clients = new KeepAliveClients(balancer.port, 24);
  for (const [index, old] of fleet.entries()) {
    // As Kubernetes does it: out of the service, then SIGTERM. The kept connections are still there.
    expect(Math.min(...(await sharesOf(fleet, clients, 200)))).toBeGreaterThan(0);
    await balancer.spread(fleet.filter((service) => service !== old).map(({ port }) => port));
    expect(await stop(old)).toEqual({ code: 0, signal: null });
    fleet[index] = await startService(flags);
    await balancer.spread(fleet.map(({ port }) => port));
    const shares = await spread(fleet, clients, 0.3);
    console.log(`shares after restart ${index + 1}: ${shares}`);
  }
  await clients.end();
  await balancer.stop();
  await Promise.all(fleet.map((service) => stop(service)));
  console.log(`two restarts: ${JSON.stringify(Object.fromEntries(clients.outcomes))}`);
  expect(clients.lost).toEqual([]);
  expect(recordedIds(records).toSorted()).toEqual(clients.served.toSorted());
});
