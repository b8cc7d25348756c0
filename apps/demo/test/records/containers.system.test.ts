import { appendFile, mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { afterEach, expect, it } from "vitest";
import { RecordedService } from "./recorded-service.js";

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "decern-containers-"));
  cleanUps.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts a service as process 1 of a container. All of them have the same host name. */
async function start(directory: string): Promise<RecordedService> {
  const service = await RecordedService.start({ directory, durable: "reply" }, true);
  cleanUps.push(() => service.end("SIGKILL"));
  return service;
}

const call = (service: RecordedService, count: number) =>
  Promise.all(Array.from({ length: count }, () => service.call()));

async function chainsOf(directory: string) {
  const { problems, chains } = await decisionLog({ store: ndjsonFiles(directory) }).verify();
  return { problems, chains: chains.map(({ name, records }) => [name, records]) };
}

it("two containers with one host name and one process id each write their own lane", async () => {
  const directory = await makeDirectory();
  const first = await start(directory);
  await call(first, 10);
  const second = await start(directory);
  for (let round = 0; round < 5; round += 1) await Promise.all([call(first, 10), call(second, 10)]);
  expect(JSON.parse(await readFile(join(directory, "1.lock"), "utf8")).pid).toBe(1);
  expect(JSON.parse(await readFile(join(directory, "2.lock"), "utf8")).pid).toBe(1);
  for (const service of [first, second]) await service.end("SIGKILL");
  const chains = [
    ["1", 60],
    ["2", 50],
  ];
  expect(await chainsOf(directory)).toEqual({ problems: [], chains });
});

it("a container that was killed and starts again goes on at once, and takes its first lane back a minute later", async () => {
  const directory = await makeDirectory();
  const killed = await start(directory);
  await call(killed, 3);
  await killed.end("SIGKILL");
  const [file = ""] = (await readdir(directory)).filter((name) => name.endsWith(".ndjson"));
  await appendFile(join(directory, file), '{"caller":"torn');
  const again = await start(directory);
  await call(again, 2);
  await again.end("SIGKILL");
  expect((await readdir(directory)).filter((name) => name.endsWith(".ndjson"))).toEqual([
    "1-00000001.ndjson",
    "2-00000001.ndjson",
  ]);
  const minuteAgo = new Date(Date.now() - 61_000);
  await utimes(join(directory, "1.lock"), minuteAgo, minuteAgo);
  const later = await start(directory);
  await call(later, 4);
  expect(later.logged.filter(({ level }) => level === "warn")).toEqual([
    expect.objectContaining({ details: expect.objectContaining({ file, bytes: 15 }) }),
  ]);
  const chains = [
    ["1", 7],
    ["2", 2],
  ];
  expect(await chainsOf(directory)).toEqual({ problems: [], chains });
});
