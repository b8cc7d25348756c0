import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BulkFileProgress, bulkFile } from "@decern/bulk";
import { DecernError } from "@decern/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const thread = new URL("./named-thread.mjs", import.meta.url);
const now = new Date(Date.UTC(2026, 2, 1));
// What runs the tests has options of its own, which find sources instead of what was built.
const execArgv: readonly string[] = [];
const quiet = { error: () => {} };

let folder = "";
let input = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "decern-threads-"));
  input = join(folder, "in.ndjson");
  await writeFile(input, Array.from({ length: 100 }, (_, n) => `{"n":${n}}\n`).join(""));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function outputOf(output: string): Promise<string> {
  const names = (await readdir(output)).filter((name) => name.startsWith("part-")).toSorted();
  return (await Promise.all(names.map((name) => readFile(join(output, name), "utf8")))).join("");
}

describe("bulkFile in threads", () => {
  it("writes the same bytes, however many threads there are", async () => {
    const outputs: string[] = [];
    const manifests: string[] = [];
    for (const count of [1, 3]) {
      const output = join(folder, `count-${count}`);
      const seen: BulkFileProgress[] = [];
      const summary = await bulkFile({
        input,
        output,
        work: { thread, execArgv, count },
        now,
        partBytes: 90,
        logger: quiet,
        onProgress: (progress) => void seen.push(progress),
      });
      expect(summary).toMatchObject({ state: "finished", items: 100, counts: { OK: 50, ERROR: 50 } });
      expect(seen.at(-1)).toMatchObject({ phase: "evaluate", items: 100, counts: { OK: 50, ERROR: 50 } });
      expect(seen.at(-1)?.doneBytes).toBe(seen.at(-1)?.totalBytes);
      outputs.push(await outputOf(output));
      manifests.push(await readFile(join(output, "manifest.json"), "utf8"));
    }
    expect(
      outputs[0]
        ?.split("\n")
        .slice(0, 2)
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { line: 1, status: "OK", data: { n: 0, lot: "1" }, matchedRule: "even" },
      { line: 2, error: "Evaluation failed", code: "EVALUATION_FAILED" },
    ]);
    expect(outputs[1]).toBe(outputs[0]);
    expect(manifests[1]).toBe(manifests[0]);
  });

  it("starts no more threads than there are parts to make", async () => {
    const started = new Int32Array(new SharedArrayBuffer(4));
    const output = join(folder, "few");
    const job = { input, output, now, partBytes: 400, logger: quiet };
    const work = { thread, execArgv, count: 200, data: { started } };
    const { parts } = await bulkFile({ ...job, work });
    expect(parts.total).toBeLessThan(5);
    expect(started[0]).toBe(parts.total);
    // One tells what the revision is.
    expect((await bulkFile({ ...job, work })).state).toBe("unchanged");
    expect(started[0]).toBe(parts.total + 1);
  });

  it("logs the first few faults and how many there were", async () => {
    const logged: [object, string][] = [];
    const logger = { error: (details: object, message: string) => void logged.push([details, message]) };
    const output = join(folder, "faults");
    await bulkFile({ input, output, work: { thread, execArgv, count: 2 }, now, partBytes: 90, logger });
    expect(logged).toHaveLength(6);
    const [details, message] = logged[0] ?? [];
    expect(message).toBe("The decision failed for a line");
    expect(details).toMatchObject({
      line: expect.stringMatching(/^\d+$/),
      err: { code: "EVALUATION_FAILED" },
    });
    // Where in which rule, for whoever reads the log.
    expect(Reflect.get(Object(Reflect.get(Object(details), "err")), "stack")).toMatch(
      /is odd[\s\S]*named-thread\.mjs/,
    );
    expect(logged[5]).toEqual([{ faults: 50 }, "The decision failed for some lines"]);
  });

  it.each([
    ["differs", "INVALID_OPTIONS", /different decision or profile in each thread/],
    ["profile", "INVALID_OPTIONS", /profiles/],
    ["throws", undefined, /no decision here/],
    ["ends", undefined, /ended with code 3/],
    ["dies", undefined, /ended with code 4/],
  ])("fails where a thread %s, and can go on", async (fault, code, message) => {
    const output = join(folder, fault);
    const work = { thread, execArgv, data: { fault }, count: 2 };
    const options = { input, output, now, partBytes: 90, logger: quiet };
    const failure = await bulkFile({ ...options, work }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure instanceof DecernError ? failure.code : undefined).toBe(code);
    expect(String(failure)).toMatch(message);
    const summary = await bulkFile({ ...options, work: { thread, execArgv, count: 2 } });
    expect(summary).toMatchObject({ state: "finished", items: 100 });
    expect(await outputOf(output)).toBe(await outputOf(join(folder, "count-1")));
  });

  it("stops while threads work, and goes on", async () => {
    const output = join(folder, "stopped");
    const options = { input, output, now, partBytes: 9, logger: quiet };
    const stop = new AbortController();
    const onProgress = ({ phase, items }: BulkFileProgress) => {
      if (phase === "evaluate" && items > 0) stop.abort();
    };
    const work = { thread, execArgv, count: 2 };
    const stopped = await bulkFile({ ...options, work, signal: stop.signal, onProgress });
    expect(stopped.state).toBe("stopped");
    expect(stopped.parts.made).toBeLessThan(stopped.parts.total);
    const end = await bulkFile({ ...options, work });
    expect(end).toMatchObject({ state: "finished", items: 100, parts: { kept: stopped.parts.made } });
    expect(await outputOf(output)).toBe(await outputOf(join(folder, "count-1")));
  });
});
