import { appendFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { afterEach, describe, expect, it } from "vitest";
import { type Answer, RecordedService } from "./recorded-service.js";

const kills = Number(process.env["KILLS"] ?? 6);
const connections = 8;
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "decern-kill-"));
  cleanUps.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function start(options: Readonly<Record<string, unknown>>): Promise<RecordedService> {
  const service = await RecordedService.start(options);
  cleanUps.push(() => service.end("SIGKILL"));
  return service;
}

/** Calls on several connections until the process is killed, at a random moment after so many answers. */
async function loadAndKill(
  service: RecordedService,
  answersBefore: number,
  delayMs = Math.random() * 20,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let isDue = false;
  const client = async (): Promise<void> => {
    for (;;) {
      const answer = await service.call(Math.floor(Math.random() * 3000)).catch(() => undefined);
      if (answer === undefined) return;
      answers.push(answer);
      if (answers.length < answersBefore || isDue) continue;
      isDue = true;
      setTimeout(() => service.process.kill("SIGKILL"), delayMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  await service.end("SIGKILL");
  return answers;
}

async function idsIn(directory: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { recordId } of ndjsonFiles(directory).find({})) ids.add(recordId);
  return ids;
}

it(`durable "reply": whatever a client was told has a record, however often the process is killed`, async () => {
  const directory = await makeDirectory();
  const told: Answer[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const service = await start({ directory, durable: "reply" });
    told.push(...(await loadAndKill(service, 20 + Math.floor(Math.random() * 300))));
  }
  expect(told.length).toBeGreaterThan(kills * 20);
  expect(told.filter(({ status }) => status !== 200)).toEqual([]);
  const onDisk = await idsIn(directory);
  expect(told.filter(({ recordId }) => recordId === undefined || !onDisk.has(recordId))).toEqual([]);

  // What a kill in the middle of a write leaves; the system calls of this machine may be too quick for it.
  const last = (await readdir(directory)).filter((name) => name.endsWith(".ndjson")).at(-1) ?? "";
  await appendFile(join(directory, last), '{"caller":"torn","decision":{"id":"si');
  const service = await start({ directory, durable: "reply" });
  await expect(service.call()).resolves.toMatchObject({ status: 200 });
  expect(service.logged.filter(({ level }) => level === "warn")).toEqual([
    expect.objectContaining({ details: expect.objectContaining({ file: last, bytes: 37 }) }),
  ]);
  await service.end("SIGTERM");
  const log = decisionLog({ store: ndjsonFiles(directory) });
  const verification = await log.verify();
  expect(verification.problems).toEqual([]);
  // A process that was killed leaves its lane to the next one.
  expect(verification.chains.map(({ name }) => name)).toEqual(["1"]);
  expect(verification.records).toBeGreaterThanOrEqual(told.length + 1);
});

/** The instant of an answer, in milliseconds: ids begin with it (RFC 9562, UUID version 7). */
function instantOf({ recordId = "" }: Answer): number {
  return Number.parseInt(recordId.replace("-", "").slice(0, 12), 16);
}

async function proveChains(directory: string): Promise<void> {
  const log = decisionLog({ store: ndjsonFiles(directory) });
  expect((await log.verify()).problems).toEqual([]);
}

describe('durable "batch"', () => {
  it("a kill loses what was answered since the last write, and nothing else", async () => {
    for (let kill = 0; kill < Math.ceil(kills / 2); kill += 1) {
      const directory = await makeDirectory();
      // Far longer than the test takes: so few records are written only when they are flushed.
      const service = await start({ directory, durable: "batch", intervalMs: 600_000 });
      const calls = Array.from({ length: 1 + Math.floor(Math.random() * 400) }, () => service.call());
      const before = await Promise.all(calls);
      await service.state("flush");
      const since = await loadAndKill(service, 1 + Math.floor(Math.random() * 40), 0);
      expect(since.length).toBeGreaterThan(0);
      expect([...before, ...since].filter(({ status }) => status !== 200)).toEqual([]);
      const onDisk = await idsIn(directory);
      expect(onDisk).toEqual(new Set(before.map(({ recordId }) => recordId)));
      expect(service.written).toBe(before.length);
      await proveChains(directory);
    }
  });

  it("under load, everything that a kill loses comes after everything that was written", async () => {
    for (let kill = 0; kill < Math.ceil(kills / 2); kill += 1) {
      const directory = await makeDirectory();
      const service = await start({ directory, durable: "batch", intervalMs: 20 });
      const told = await loadAndKill(service, 300 + Math.floor(Math.random() * 600));
      const onDisk = await idsIn(directory);
      // All writes that were completed are there.
      expect(service.written).toBeGreaterThan(0);
      expect(onDisk.size).toBeGreaterThanOrEqual(service.written);
      // Ids grow from record to record.
      const last = [...onDisk].sort().at(-1) ?? "";
      const lost = told.filter(({ recordId = "" }) => !onDisk.has(recordId));
      expect(lost.filter(({ recordId = "" }) => recordId < last)).toEqual([]);
      await proveChains(directory);
    }
  });

  it("a record waits for one interval: whatever was answered earlier than that is on disk", async () => {
    const intervalMs = 1000;
    const directory = await makeDirectory();
    const service = await start({ directory, durable: "batch", intervalMs });
    const told = [await service.call()];
    const since = (answer: Answer | undefined): number =>
      answer === undefined ? 0 : instantOf(answer) - instantOf(told[0] ?? answer);
    const lengthMs = (4 + Math.random()) * intervalMs;
    // So slowly that only the interval makes it write.
    while (since(told.at(-1)) < lengthMs) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      told.push(await service.call());
    }
    await service.end("SIGKILL");
    const onDisk = await idsIn(directory);
    // By the records' own clock. A second interval is for the write itself, which takes as long as the disk needs.
    const early = told.filter((answer) => since(answer) <= since(told.at(-1)) - 2 * intervalMs);
    expect(early.length).toBeGreaterThan(1);
    expect(early.filter(({ recordId = "" }) => !onDisk.has(recordId))).toEqual([]);
  });
});

it("two processes write one directory: each its own lane, and every record is there", async () => {
  const directory = await makeDirectory();
  const options = { directory, durable: "reply", files: { rotateBytes: 20_000 } };
  const services = await Promise.all([start(options), start(options)]);
  const calls = services.flatMap((service) => Array.from({ length: 150 }, () => service.call(500)));
  const answers = await Promise.all(calls);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const onDisk = await idsIn(directory);
  expect(new Set(answers.map(({ recordId }) => recordId))).toEqual(onDisk);
  await Promise.all(services.map((service) => service.end("SIGTERM")));
  const log = decisionLog({ store: ndjsonFiles(directory) });
  const { problems, chains } = await log.verify();
  expect(problems).toEqual([]);
  expect(chains.map(({ name, records }) => ({ name, records }))).toEqual([
    { name: "1", records: 150 },
    { name: "2", records: 150 },
  ]);
  expect((await readdir(directory)).filter((name) => name.endsWith(".lock"))).toEqual([]);
});
