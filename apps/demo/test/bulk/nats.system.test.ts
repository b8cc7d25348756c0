import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exampleFiles } from "../examples/page-examples.js";
import { NatsSite } from "./nats-site.js";

/** How often a worker or the server is killed; `KILLS=20` takes some minutes. */
const kills = Number(process.env["KILLS"] ?? 4);
const messagesEach = 150;

let site: NatsSite;
beforeEach(async () => {
  site = await NatsSite.start();
});
afterEach(() => site.end());

async function dieBetween(hasIds: boolean): Promise<void> {
  await site.publish(30);
  const first = site.startWorker({ hasIds, diesAfter: 7 });
  await once(first, "exit");
  expect(first.signalCode).toBe("SIGKILL");
  expect(await site.countResults()).toBeGreaterThanOrEqual(7);
  const second = site.startWorker({ hasIds });
  await expect.poll(() => site.waiting()).toBe(0);
  await site.kill(second, "SIGTERM");
}

it("the client of the guide gets the results of its message, from NATS 2.9 on", async () => {
  const worker = site.startWorker({});
  const example = exampleFiles().find(
    ({ page, title }) => page === "docs/examples/nats" && title === "client.ts",
  );
  const folder = mkdtempSync(fileURLToPath(new URL(".guide-", import.meta.url)));
  const printed = vi.spyOn(console, "log").mockReturnValue();
  try {
    const client = join(folder, "client.ts");
    writeFileSync(client, (example?.code ?? "").replace("localhost:4222", site.server.address));
    await import(client);
    expect(printed.mock.calls.map(([line]) => JSON.parse(line).status)).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
  } finally {
    printed.mockRestore();
    rmSync(folder, { recursive: true });
  }
  await site.kill(worker, "SIGTERM");
});

describe("a worker that dies after its results are stored, and before it acknowledges", () => {
  it("leaves nothing twice", async () => {
    await dieBetween(true);
    expect(await site.results()).toEqual(site.expected());
  });

  it("leaves results twice where they have no ids: the control", async () => {
    await dieBetween(false);
    const results = await site.results();
    expect([...results.keys()].toSorted((a, b) => a - b)).toEqual([...site.expected().keys()]);
    expect([...results.values()].filter(({ length }) => length > 1).length).toBeGreaterThan(0);
  });
});

it("an outage of the results, however long and however often workers are stopped or killed in it, gives nothing up", async () => {
  const maxTries = 2;
  await site.publish(40);
  await site.limitResults(false);
  for (let round = 0; round < 3 * maxTries; round += 1) {
    const workers = [site.startWorker({ maxTries }), site.startWorker({ maxTries })];
    for (const worker of workers) await expect.poll(() => site.failuresOf(worker)).toBeGreaterThanOrEqual(4);
    const signal = round % 2 === 0 ? "SIGTERM" : "SIGKILL";
    for (const worker of workers) await site.kill(worker, signal);
    expect(workers.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual(
      signal === "SIGTERM" ? [0, 0] : [signal, signal],
    );
  }
  const worker = site.startWorker({ maxTries });
  await expect.poll(() => site.failuresOf(worker)).toBeGreaterThanOrEqual(4);
  await site.limitResults(true);
  await expect.poll(() => site.waiting()).toBe(0);
  await site.kill(worker, "SIGTERM");
  expect(await site.deadLetters()).toEqual([]);
  expect(await site.results()).toEqual(site.expected());
});

it("a message that ends its worker is given up after five of them, and nothing else is", async () => {
  await site.publish(20);
  const poison = 8;
  for (let death = 1; death <= 5; death += 1) {
    const worker = site.startWorker({ poison, maxTries: 5 });
    await once(worker, "exit");
    expect(worker.signalCode).toBe("SIGKILL");
  }
  const worker = site.startWorker({ poison, maxTries: 5 });
  await expect.poll(() => site.waiting()).toBe(0);
  await site.kill(worker, "SIGTERM");
  expect(worker.exitCode).toBe(0);
  expect(await site.deadLetters()).toEqual([poison]);
  const expected = new Map(site.expected());
  expected.delete(poison);
  expect(await site.results()).toEqual(expected);
});

it("a worker whose connection is closed for good can still be stopped", async () => {
  const worker = site.startWorker({ closes: true });
  await site.kill(worker, "SIGTERM");
  expect(worker.exitCode).toBe(0);
});

it(`two workers and the server, killed ${kills} times: every message is answered once`, async () => {
  const start = async (): Promise<ChildProcess> => {
    const worker = site.startWorker();
    await site.started(worker);
    return worker;
  };
  const workers = await Promise.all([start(), start()]);
  const publishing = site.publish(kills * messagesEach);
  let seen = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    // In the middle of work, wherever that is.
    const enough = Math.min(seen + 20 + Math.floor(Math.random() * 80), kills * messagesEach - 10);
    await expect.poll(async () => (await site.countResults()) ?? 0).toBeGreaterThanOrEqual(enough);
    if (kill % 2 === 0) {
      await site.server.kill();
      await site.server.start();
    } else {
      const index = Math.floor(Math.random() * workers.length);
      const worker = workers[index];
      if (worker !== undefined) await site.kill(worker);
      workers[index] = await start();
    }
    seen = enough;
  }
  await publishing;
  await expect.poll(() => site.waiting()).toBe(0);
  expect(workers.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null]);
  expect(await site.results()).toEqual(site.expected());
  for (const worker of workers) {
    await site.kill(worker, "SIGTERM");
    expect(worker.exitCode).toBe(0);
  }
});
