import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BulkEncoder, bulkFile } from "@decern/bulk";
import { type DecisionRecord, defineDecision } from "@decern/core";
import { decisionLog, recordEncoder, recordFiles } from "@decern/decision-log";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { nested } from "../../../../test/support/odd-calls.js";

const now = new Date(Date.UTC(2026, 2, 1));
const quiet = { error: () => {} };

const sized = defineDecision({
  id: "sized",
  version: "1",
  inputSchema: z.object({ n: z.number(), name: z.string().optional() }),
  outputSchema: z.object({ n: z.number() }),
  profileSchema: z.object({ most: z.number() }),
  rules: [{ id: "small", when: ({ n }, { most }) => n <= most, emit: ({ n }) => ({ n }) }],
});

const encoder = recordEncoder<[typeof sized]>({ mask: { sized: ["/input/name"] } });
const work = {
  decision: sized,
  profiles: { sized: { most: 10 } },
  encoders: [encoder],
};

let folder = "";
let input = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "decern-bulk-records-"));
  input = join(folder, "in.ndjson");
  const lines = Array.from({ length: 60 }, (_, n) =>
    n === 7 ? "{" : `{"n":${n % 13},"name":"Ada Ames ${n}"}`,
  );
  await writeFile(input, lines.join("\n"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function filesOf(output: string): Promise<readonly string[]> {
  const names = (await readdir(output)).filter((name) => name.startsWith("part-"));
  return names.toSorted().map((name) => join(output, name));
}

async function textsOf(output: string): Promise<readonly string[]> {
  return await Promise.all((await filesOf(output)).map((file) => readFile(file, "utf8")));
}

describe("records of a bulk job", () => {
  it("verify, one chain a file, and are found", async () => {
    const output = join(folder, "verified");
    const { parts, counts } = await bulkFile({
      input,
      output,
      work,
      emit: "record",
      now,
      partBytes: 400,
      build: "b1",
    });
    expect(counts.INVALID_JSON).toBe(1);
    const log = decisionLog({ store: recordFiles(await filesOf(output)) });
    const verification = await log.verify();
    expect(verification).toMatchObject({ ok: true, problems: [] });
    expect(verification.chains).toHaveLength(parts.total);
    const records: DecisionRecord[] = [];
    for await (const record of log.find()) records.push(record);
    expect(records).toHaveLength(59);
    const byLine = records.toSorted((a, b) => Number(a.requestId) - Number(b.requestId));
    expect(byLine[0]).toMatchObject({
      build: "b1",
      requestId: "1",
      recordedAt: now.toISOString(),
      decision: { id: "sized", version: "1" },
      masked: ["/input/name"],
      payload: { input: { n: 0 } },
    });
    const ids = byLine.map(({ recordId }) => recordId);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(59);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await log.profile(byLine[0]?.profileHash ?? "")).toEqual({ most: 10 });
    expect((await textsOf(output)).join("")).not.toContain("Ames");
    await log.close();
  });

  it("verify whatever the inputs are, however deep", async () => {
    const lines = Array.from({ length: 41 }, (_, index) => `{"n":${JSON.stringify(nested(480 + index))}}`);
    const deep = join(folder, "deep.ndjson");
    await writeFile(deep, [...lines, '{"n":1,"toJSON":2}', '{"n":-0,"name":"\\u0000"}'].join("\n"));
    const output = join(folder, "deep");
    await bulkFile({ input: deep, output, work, emit: "record", now });
    const log = decisionLog({ store: recordFiles(await filesOf(output)) });
    expect(await log.verify()).toMatchObject({ ok: true, records: 43, problems: [] });
    for await (const { payload } of log.find()) expect(payload?.input).toHaveProperty("n");
    await log.close();
  });

  it("are the same bytes when a job goes on, and others in another job", async () => {
    const output = join(folder, "stopped");
    const options = { input, emit: "record", now, partBytes: 400, logger: quiet };
    const stop = new AbortController();
    let answers = 0;
    const stopping: BulkEncoder = {
      name: "record",
      encodePart(part) {
        const parts = encoder.encodePart(part);
        return {
          ...parts,
          encode(answer) {
            answers += 1;
            if (answers > 30) stop.abort();
            return parts.encode(answer);
          },
        };
      },
    };
    const stopped = await bulkFile({
      ...options,
      output,
      work: { ...work, encoders: [stopping] },
      signal: stop.signal,
    });
    expect(stopped.state).toBe("stopped");
    expect(stopped.parts.made).toBeGreaterThan(0);
    const { secret } = JSON.parse(await readFile(join(output, "manifest.json"), "utf8"));
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    // What the first run wrote is written once more.
    const [first = ""] = await filesOf(output);
    const before = await readFile(first, "utf8");
    await rm(first);
    expect((await bulkFile({ ...options, output, work })).state).toBe("finished");
    expect(await readFile(first, "utf8")).toBe(before);
    expect(await readFile(join(output, "manifest.json"), "utf8")).not.toContain("secret");
    const other = join(folder, "other");
    await bulkFile({ ...options, output: other, work });
    expect((await textsOf(other))[0]).not.toBe(before);
    // Without the secret nobody can make them again.
    await rm(first);
    await expect(bulkFile({ ...options, output, work })).rejects.toMatchObject({ code: "JOB_CHANGED" });
  });
});
