import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bulkFile } from "@decern/bulk";
import type { CpuEntry } from "../measure/cpu-rounds.js";
import { loanDecision } from "../workload/decisions.js";
import { loanId, theProfile } from "../workload/loan-approval.js";
import type { Sample } from "../workload/loan-rings.js";
import { ColumnarFiles } from "./columnar-files.js";

export const jsonOnly = "limit: read, JSON.parse, JSON.stringify";
export const compactJob = "bulkFile, compact";
const envelopeJob = "bulkFile, full envelopes";
export const csvJob = "bulkFile of CSV, compact";
export const parquetJob = "bulkFile of Parquet, compact";

/** Bytes of a record, its newline included. */
const recordBytes = 200;

/** Jobs over one file of records, each checked whenever it runs. One operation is one record. */
export async function bulkContestants(
  folder: string,
  samples: readonly Sample[],
  records: number,
): Promise<readonly CpuEntry[]> {
  const input = join(folder, "in.ndjson");
  await writeLines(input, samples, records);
  // Columns have types, which wrong inputs break.
  const valid = join(folder, "valid.ndjson");
  await writeLines(
    valid,
    samples.filter(({ expected }) => expected.status === "OK"),
    records,
  );
  const files = await ColumnarFiles.from(valid, folder);
  const job = (name: string, emit: string, file = input): CpuEntry => ({
    name,
    async run() {
      const output = join(folder, "out");
      const work = { decision: loanDecision(), profiles: { [loanId]: theProfile } };
      const { items, counts } = await bulkFile({ input: file, output, work, emit });
      assert.deepEqual([items, counts.ERROR + counts.INVALID_JSON], [records, 0], name);
      await rm(output, { recursive: true });
      return records;
    },
  });
  const copy = (name: string, make: () => Promise<void>): CpuEntry => ({
    name,
    async run() {
      await make();
      return records;
    },
  });
  return [
    { name: jsonOnly, run: () => readParseWrite(input, join(folder, "copy.ndjson"), records) },
    job(compactJob, "compact"),
    job(envelopeJob, "envelope"),
    copy("limit of CSV: DuckDB copies the file", () => files.copyCsv()),
    job(csvJob, "compact", files.csv),
    copy("limit of Parquet: DuckDB copies the file", () => files.copyParquet()),
    job(parquetJob, "compact", files.parquet),
  ];
}

async function writeLines(path: string, samples: readonly Sample[], records: number): Promise<void> {
  const texts = samples.map(({ input }) => JSON.stringify(input));
  await writeFile(
    path,
    (function* () {
      for (let count = 0; count < records; count += 1) yield lineOf(texts[count % texts.length] ?? "");
    })(),
  );
}

/** What no evaluation of a file of JSON can do without. */
async function readParseWrite(input: string, output: string, records: number): Promise<number> {
  let count = 0;
  const file = await open(output, "w");
  try {
    let text = "";
    for await (const line of createInterface(createReadStream(input))) {
      text += `${JSON.stringify(JSON.parse(line))}\n`;
      count += 1;
      if (text.length < 1_000_000) continue;
      await file.write(text);
      text = "";
    }
    await file.write(text);
  } finally {
    await file.close();
  }
  assert.equal(count, records);
  return count;
}

/** With a note that no other record has: repeated text would take no room in a Parquet file. */
function lineOf(text: string): string {
  const member = ',"note":""}';
  const length = Math.max(0, recordBytes - text.length - member.length);
  const note = randomBytes(length).toString("base64url").slice(0, length);
  return `${text.slice(0, -1)},"note":"${note}"}\n`;
}
