import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bulkFile } from "@decern/bulk";
import { recordEncoder } from "@decern/decision-log";
import { describe, expect, it } from "vitest";
import { loan } from "../data/modules/loan.mjs";
import { temporaryFolder } from "../data/support.js";
import { decernProcess } from "../support/decern.js";

const work = { decision: loan(), profiles: { loan: { small: 100 } }, encoders: [recordEncoder()] };

async function job(emit: string): Promise<string> {
  const folder = temporaryFolder();
  const input = join(folder, "in.ndjson");
  await writeFile(input, Array.from({ length: 50 }, (_, n) => `{"amount":${n * 10}}\n`).join(""));
  const output = join(folder, "out");
  await bulkFile({ input, output, work, emit, partBytes: 200 });
  return output;
}

describe("decern log verify, of a bulk job", () => {
  it("accepts its folder, and finds what was changed or is missing", async () => {
    const output = await job("record");
    expect(await decernProcess(["log", "verify", output])).toMatchObject({ code: 0, stderr: "" });
    const part = join(output, "part-00001.ndjson");
    await writeFile(
      part,
      (await readFile(part, "utf8")).replace('"rate":5', '"rate":4').replace('"rate":3', '"rate":2'),
    );
    expect((await decernProcess(["log", "verify", output])).code).toBe(2);
    const manifest = join(output, "manifest.json");
    await writeFile(manifest, (await readFile(manifest, "utf8")).replace("part-00001", "part-00099"));
    expect(await decernProcess(["log", "verify", output])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("part-00099"),
    });
  });

  it("refuses one that has not finished, or that has no records", async () => {
    const output = await job("record");
    const manifest = join(output, "manifest.json");
    await writeFile(manifest, (await readFile(manifest, "utf8")).replace('"finished"', '"running"'));
    expect((await decernProcess(["log", "verify", output])).stderr).toContain("has not finished");
    expect((await decernProcess(["log", "verify", await job("compact")])).stderr).toContain("has no records");
  });
});
