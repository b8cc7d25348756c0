import { appendFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { afterEach, expect, it } from "vitest";
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
async function loadAndKill(service: RecordedService, answersBefore: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const delayMs = Math.random() * 20;
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

it(`durable "batch": a kill loses nothing but the last interval`, async () => {
  const intervalMs = 100;
  for (let kill = 0; kill < Math.ceil(kills / 2); kill += 1) {
    const directory = await makeDirectory();
    const service = await start({ directory, durable: "batch", intervalMs });
    const early = await Promise.all(Array.from({ length: 100 }, () => service.call()));
    // More than one interval later.
    await service.state("flush");
    const told = [...early, ...(await loadAndKill(service, 600))];
    const onDisk = await idsIn(directory);
    expect(early.filter(({ recordId }) => !onDisk.has(recordId ?? ""))).toEqual([]);
    const times = new Map<string, number>();
    // The ids begin with the milliseconds of their instant (RFC 9562, UUID version 7).
    const timeOf = (id: string): number => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
    for (const { recordId = "" } of told) times.set(recordId, timeOf(recordId));
    const lost = [...times.keys()].filter((id) => !onDisk.has(id));
    const last = Math.max(...times.values());
    const firstLost = Math.min(...lost.map(timeOf), last);
    // Nothing that was written comes after something that was lost, so all of that was waiting together.
    expect([...times].filter(([id, time]) => onDisk.has(id) && time > firstLost)).toEqual([]);
    const log = decisionLog({ store: ndjsonFiles(directory) });
    expect((await log.verify()).problems).toEqual([]);
  }
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
