import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const records = 600_000;
const begin = Date.UTC(2026, 2, 3);

/** As short as records can be: the memory that a search takes must not depend on how many there are. */
function* lines(): Generator<string> {
  for (let index = 0; index < records; index += 1) {
    const recordedAt = new Date(begin + index * 100).toISOString();
    yield `{"decision":{"id":"d","version":"1"},"durationSeconds":0,"hash":"","masked":[],"payload":null,"payloadHash":"","previousHash":"",` +
      `"profileHash":"","recordId":"${index}","recordVersion":1,"recordedAt":"${recordedAt}","requestId":"","sampleRate":1,` +
      `"selectedBy":"default","status":"OK"}\n`;
  }
}

it("the newest records of a day are found with a heap of 24 MB, however many there are", async () => {
  const directory = await mkdtemp(join(tmpdir(), "decern-day-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, "1-00000001.ndjson");
  await pipeline(Readable.from(lines(), { highWaterMark: 10_000 }), createWriteStream(path));
  const script = `
    import { ndjsonFiles } from "@decern/decision-log";
    const ids = [];
    for await (const { recordId } of ndjsonFiles(process.argv[1]).find({ newestFirst: true, limit: 3 })) ids.push(recordId);
    console.log(JSON.stringify(ids));
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--max-old-space-size=24", "--input-type=module", "-e", script, directory],
    { cwd: fileURLToPath(new URL("../..", import.meta.url)) },
  );
  expect(JSON.parse(stdout)).toEqual([1, 2, 3].map((last) => `${records - last}`));
});
