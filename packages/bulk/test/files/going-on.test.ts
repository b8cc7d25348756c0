import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DecernError } from "@decern/core";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deadPid, leaveLock } from "../../../../test/support/left-lock.js";
import schema from "../../manifest.schema.json" with { type: "json" };
import { bulkFile } from "../../src/index.js";
import { lockFolder } from "../../src/job/job-folder.js";
import { inFolder, outputOf, partsIn } from "./support/in-folder.js";
import { now, sized, telling } from "./support/sized.js";

const quiet = { error: () => {} };
const work = { decision: sized };
const options = { work, now, logger: quiet };
const text = Array.from({ length: 400 }, (_, n) => JSON.stringify({ n: n % 20 })).join("\n");

const manifestOf = async (output: string) =>
  JSON.parse(await readFile(join(output, "manifest.json"), "utf8"));

const ajv = new Ajv({ allErrors: true });
addFormats.default(ajv);
const isManifest = ajv.compile(schema);

async function expectManifest(output: string): Promise<void> {
  isManifest(await manifestOf(output));
  expect(isManifest.errors).toBeNull();
}

async function refusalOf(promise: Promise<unknown>): Promise<DecernError> {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof DecernError) return error;
  throw new Error("was not refused", { cause: error });
}

describe("a job that goes on", () => {
  it("writes the same bytes, however often it is stopped", async () => {
    await inFolder(text, async ({ input, output, folder }) => {
      const whole = join(folder, "whole");
      await bulkFile({ input, output: whole, ...options, partBytes: 600 });
      const expected = await outputOf(whole);
      let timesStopped = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }), async (stops) => {
          await rm(output, { recursive: true, force: true });
          for (const after of stops) {
            const stop = new AbortController();
            let made = 0;
            // A decision that counts is stopped in the middle of a part.
            const counting = telling(() => {
              made += 1;
              if (made > after * 12) stop.abort();
            });
            const stopped = await bulkFile({
              input,
              output,
              ...options,
              work: { decision: counting },
              partBytes: 600,
              signal: stop.signal,
            });
            expect(stopped.state === "stopped").toBe(stop.signal.aborted);
            if (stop.signal.aborted) {
              timesStopped += 1;
              expect(stopped.items).toBeLessThan(400);
              await expectManifest(output);
            }
          }
          const end = await bulkFile({ input, output, ...options, partBytes: 600 });
          expect(end.items).toBe(400);
          expect(end.parts.kept + end.parts.made).toBe(end.parts.total);
          expect(await outputOf(output)).toBe(expected);
        }),
        { numRuns: 6 },
      );
      expect(timesStopped).toBeGreaterThan(0);
    });
  });

  it("stops before it has begun, and says so", async () => {
    await inFolder(text, async ({ input, output }) => {
      const thread = new URL("./no-such-module.mjs", import.meta.url);
      for (const some of [work, { thread }]) {
        const stopped = await bulkFile({
          input,
          output,
          ...options,
          work: some,
          signal: AbortSignal.abort(),
        });
        expect(stopped).toMatchObject({ state: "stopped", items: 0 });
        expect(await readdir(output)).toEqual([]);
      }
    });
  });

  it("does nothing where it has finished, and keeps the instant of the first run", async () => {
    await inFolder(text, async ({ input, output }) => {
      const first = await bulkFile({ input, output, work, logger: quiet, partBytes: 500 });
      await expectManifest(output);
      const again = await bulkFile({ input, output, work, logger: quiet });
      expect(again).toEqual({
        ...first,
        state: "unchanged",
        parts: { total: first.parts.total, kept: first.parts.total, made: 0 },
      });
    });
  });

  it("makes parts again that are damaged, cut or gone", async () => {
    await inFolder(text, async ({ input, output }) => {
      const { parts } = await bulkFile({ input, output, ...options, partBytes: 500 });
      const expected = await outputOf(output);
      const [one = "", two = "", three = ""] = await partsIn(output);
      const path = join(output, one);
      const bytes = await readFile(path);
      bytes[5] = 0x20;
      await writeFile(path, bytes);
      await writeFile(join(output, two), "");
      await rm(join(output, three));
      const again = await bulkFile({ input, output, ...options });
      expect(again).toMatchObject({ state: "finished", parts: { total: parts.total, made: 3 } });
      expect(await outputOf(output)).toBe(expected);
    });
  });

  it("refuses another job, and names what has changed", async () => {
    await inFolder(text, async ({ input, output, folder }) => {
      await bulkFile({ input, output, ...options, build: "b1", partBytes: 500 });
      const before = await outputOf(output);
      const changes: [object, string[]][] = [
        [{ now: new Date(0) }, ["/now"]],
        [{ emit: "envelope" }, ["/emit"]],
        [{ build: "b2" }, ["/revision/build"]],
        [{ build: undefined }, ["/revision/build"]],
        [{ format: "ndjson", partBytes: 501, maxLine: 77 }, ["/partBytes", "/maxLine"]],
        [{ work: { decision: sized, profiles: { sized: { most: 3 } } } }, ["/revision/profileHash"]],
        [
          { work: { decision: telling(() => {}, "2") } },
          ["/revision/decision/version", "/revision/fingerprint"],
        ],
      ];
      for (const [change, paths] of changes) {
        const refusal = await refusalOf(bulkFile({ input, output, ...options, build: "b1", ...change }));
        expect(refusal.code).toBe("JOB_CHANGED");
        expect(refusal.problems.map(({ path }) => path)).toEqual(paths);
      }
      const shorter = join(folder, "shorter.ndjson");
      await writeFile(shorter, text.slice(1));
      const same = join(folder, "same.ndjson");
      await writeFile(same, text.replace("1", "2"));
      for (const input of [shorter, same]) {
        const refusal = await refusalOf(bulkFile({ input, output, ...options, build: "b1" }));
        expect(refusal.problems.map(({ path }) => path)).toEqual(["/input"]);
      }
      expect(await outputOf(output)).toBe(before);
    });
  });

  it("refuses a folder that another job writes, unless it is dead", async () => {
    await inFolder(text, async ({ input, output }) => {
      // A job holds the folder while it evaluates. A second call looks for holders in this thread before its first await.
      const second: Promise<DecernError>[] = [];
      const asking = telling(() => {
        if (second.length === 0) second.push(refusalOf(lockFolder(output)));
      });
      await bulkFile({ input, output, ...options, work: { decision: asking } });
      expect((await Promise.all(second)).map(({ code }) => code)).toEqual(["JOB_RUNNING"]);
      const held = await lockFolder(output);
      expect((await refusalOf(bulkFile({ input, output, ...options }))).code).toBe("JOB_RUNNING");
      await held.release();
      const lock = join(output, "job.lock");
      leaveLock(lock, { pid: process.ppid, started: undefined });
      expect((await refusalOf(bulkFile({ input, output, ...options }))).code).toBe("JOB_RUNNING");
      leaveLock(lock, { pid: deadPid });
      expect((await bulkFile({ input, output, ...options })).state).toBe("unchanged");
      // One in another container holds it for a minute.
      leaveLock(lock, { space: "another container" }, 59_000);
      expect((await refusalOf(bulkFile({ input, output, ...options }))).code).toBe("JOB_RUNNING");
      leaveLock(lock, { space: "another container" }, 61_000);
      expect((await bulkFile({ input, output, ...options })).state).toBe("unchanged");
      leaveLock(`${lock}.new`, { pid: deadPid });
      expect((await bulkFile({ input, output, ...options })).state).toBe("unchanged");
    });
  });

  it("refuses what is not a file, and a folder that is not its own", async () => {
    await inFolder(text, async ({ input, output, folder }) => {
      const pathsOf = async (some: object) =>
        (await refusalOf(bulkFile({ input, output, ...options, ...some }))).problems.map(({ path }) => path);
      expect(await pathsOf({ input: join(folder, "none.ndjson") })).toEqual(["/input"]);
      expect(await pathsOf({ input: folder, format: "ndjson" })).toEqual(["/input"]);
      expect(await pathsOf({ input: join(folder, "in.txt") })).toEqual(["/format"]);
      expect(await pathsOf({ emit: "all" })).toEqual(["/emit"]);
      expect(await pathsOf({ format: "xml", partBytes: 0, now: "now", work: {}, threads: 2 })).toEqual([
        "/threads",
        "/format",
        "/work/decision",
        "/now",
        "/partBytes",
      ]);
      await writeFile(join(output, "part-00000.ndjson"), "");
      expect(await pathsOf({})).toEqual(["/output"]);
      await writeFile(join(output, "manifest.json"), '{"formatVersion":2}');
      expect(await pathsOf({})).toEqual(["/output"]);
    });
  });
});
