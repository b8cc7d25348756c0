import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { afterEach, describe, expect, it } from "vitest";
import { type Answer, RecordedService } from "./recorded-service.js";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Mounts a small file system; `undefined` where this process may not. */
function mountSmallDisk(bytes: number): string | undefined {
  const path = mkdtempSync(join(tmpdir(), "decern-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path], { stdio: "pipe" });
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  cleanUps.push(() => {
    execFileSync("umount", ["-l", path]);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

const probe = mountSmallDisk(1 << 20);
for (const cleanUp of cleanUps.splice(0)) cleanUp();
if (probe === undefined) console.warn("Skipped: this process may not mount a file system of its own");

async function start(options: Readonly<Record<string, unknown>>): Promise<RecordedService> {
  const service = await RecordedService.start(options);
  cleanUps.push(() => service.end("SIGKILL"));
  return service;
}

async function callMany(service: RecordedService, count: number, size: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let sent = 0; sent < count; sent += 20) {
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => service.call(size)))));
  }
  return answers;
}

async function check(
  directory: string,
): Promise<{ readonly ids: ReadonlySet<string>; readonly problems: unknown }> {
  const ids = new Set<string>();
  const log = decisionLog({ store: ndjsonFiles(directory) });
  for await (const { recordId } of log.find()) ids.add(recordId);
  return { ids, problems: (await log.verify()).problems };
}

/** What takes a disk away from the service, and gives it back. */
const faults = {
  "a full disk": {
    begin: (disk: string) => {
      // Until nothing fits any more.
      expect(() => writeFileSync(join(disk, "ballast"), Buffer.alloc(32 << 20))).toThrow("ENOSPC");
    },
    end: (disk: string) => rmSync(join(disk, "ballast")),
  },
  "a read-only folder": {
    begin: (disk: string) => {
      // A file that is open for writing keeps a file system from becoming read-only; a bind mount over the folder does not. It
      // is read-only before it gets there, or the service could open a file in it that keeps it writable.
      const readOnly = join(disk, "read-only");
      mkdirSync(readOnly, { recursive: true });
      execFileSync("mount", ["--bind", join(disk, "records"), readOnly]);
      execFileSync("mount", ["-o", "remount,bind,ro", readOnly]);
      execFileSync("mount", ["--bind", readOnly, join(disk, "records")]);
    },
    end: (disk: string) => execFileSync("umount", ["-l", join(disk, "records"), join(disk, "read-only")]),
  },
} as const;

describe.skipIf(probe === undefined).each(["a full disk", "a read-only folder"] as const)("%s", (name) => {
  const fault = faults[name];
  // Files this small are rotated all the time: an open file of a folder that became read-only could still be written.
  const files = { rotateBytes: 20_000 };

  it.each(["reply", "batch"] as const)(
    "refuse, durable %s: no 200 without a record, memory stays flat, and it recovers by itself",
    async (durable) => {
      const disk = mountSmallDisk(16 << 20) ?? "";
      const directory = join(disk, "records");
      const service = await start({
        directory,
        files,
        durable,
        onFull: "refuse",
        intervalMs: 20,
        headEveryMs: 600_000,
      });
      const before = await callMany(service, 100, 500);
      expect(before.filter(({ status }) => status !== 200)).toEqual([]);
      fault.begin(disk);
      const during: Answer[] = [];
      // A batch that is on its way when the fault begins was answered, and is kept.
      while (during.at(-1)?.status !== 503) during.push(await service.call(500));
      const refused = [...(await callMany(service, 400, 500))];
      for (const answer of [...during, ...refused].filter(({ status }) => status !== 200)) {
        expect(answer).toMatchObject({ status: 503, retryAfter: "1" });
      }
      if (durable === "reply") expect(refused.filter(({ status }) => status === 200)).toEqual([]);
      const early = await service.state();
      refused.push(...(await callMany(service, 3000, 5000)));
      const late = await service.state();
      // Three thousand records would take fifteen megabytes.
      expect(late.bytesInUse - early.bytesInUse).toBeLessThan(4 << 20);
      fault.end(disk);
      let answer = await service.call(500);
      while (answer.status !== 200) answer = await service.call(500);
      const after = await callMany(service, 100, 500);
      expect(after.filter(({ status }) => status !== 200)).toEqual([]);
      await service.state("flush");

      const answered = [...before, ...during, ...refused, answer, ...after].filter(
        ({ status }) => status === 200,
      );
      const { ids, problems } = await check(directory);
      expect(problems).toEqual([]);
      expect(answered.filter(({ recordId }) => !ids.has(recordId ?? ""))).toEqual([]);
      // One report for each outage, not for each record or call.
      const errors = service.logged.filter(({ level }) => level === "error");
      expect(errors.map(({ message }) => message)).toEqual(["The decision log cannot be written"]);
      const { counts } = await service.state();
      expect(counts).toMatchObject({ written: ids.size, lost: 0 });
    },
  );

  it("drop: it answers, and counts exactly what is missing; memory stays bounded", async () => {
    const disk = mountSmallDisk(16 << 20) ?? "";
    const directory = join(disk, "records");
    const maxPendingBytes = 1 << 20;
    const service = await start({
      directory,
      files,
      onFull: "drop",
      maxPendingBytes,
      intervalMs: 20,
      headEveryMs: 600_000,
    });
    const answers = [...(await callMany(service, 100, 500))];
    await service.state("flush");
    fault.begin(disk);
    answers.push(...(await callMany(service, 1000, 5000)));
    const early = await service.state();
    answers.push(...(await callMany(service, 3000, 5000)));
    const late = await service.state();
    // Ten times the buffer has been answered in between.
    expect(late.bytesInUse - early.bytesInUse).toBeLessThan(4 * maxPendingBytes);
    fault.end(disk);
    for (let { counts } = late; counts.written === late.counts.written; { counts } = await service.state()) {
      answers.push(await service.call(500));
    }
    answers.push(...(await callMany(service, 100, 500)));
    await service.state("flush");

    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const { counts } = await service.state();
    const { ids, problems } = await check(directory);
    expect(problems).toEqual([]);
    expect(counts.lost).toBeGreaterThan(1000);
    expect(answers.filter(({ recordId }) => !ids.has(recordId ?? "")).length).toBe(counts.lost);
    expect(counts).toEqual({ written: ids.size, lost: answers.length - ids.size, refused: 0 });
  });
});
