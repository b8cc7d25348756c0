import { stat } from "node:fs/promises";
import type { StoreStats } from "@decern/core";
import type { FileSet } from "./file-set.js";
import { lineBlocks, newline } from "./lines/line-blocks.js";
import { payloadRange, readRecord } from "./lines/record-text.js";

/** Counts the records of files. It reads all of them. */
export async function fileStats(set: FileSet): Promise<StoreStats> {
  let records = 0;
  let bytes = 0;
  let withoutPayload = 0;
  let unreadable = 0;
  let oldest: string | undefined;
  let newest: string | undefined;
  for (const { path } of (await set.chains()).flatMap(({ files }) => files)) {
    bytes += await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    for await (const { bytes: block, isTorn } of lineBlocks(path)) {
      const isWhole = !isTorn || set.mayLackLastNewline;
      for (let from = 0; isWhole && from < block.length; ) {
        const newlineAt = block.indexOf(newline, from);
        const end = newlineAt === -1 ? block.length : newlineAt;
        const line = block.subarray(from, end);
        from = end + 1;
        const record = readWithoutPayload(line);
        if (typeof record === "string") unreadable += 1;
        if (typeof record !== "object") continue;
        const time = record.recordedAt;
        records += 1;
        if (oldest === undefined || time < oldest) oldest = time;
        if (newest === undefined || time > newest) newest = time;
        if (record.payload === null) withoutPayload += 1;
      }
    }
  }
  return {
    records,
    oldest: oldest === undefined ? undefined : new Date(oldest),
    newest: newest === undefined ? undefined : new Date(newest),
    bytes,
    withoutPayload,
    unreadable,
  };
}

/** As {@link readRecord}, without parsing what is most of a line: the payload of a record that has one is empty. */
function readWithoutPayload(line: Buffer): ReturnType<typeof readRecord> {
  const payload = payloadRange(line);
  if (payload === undefined || line[payload.start] !== openingBrace) return readRecord(line.toString());
  const facts = `${line.toString("utf8", 0, payload.start)}{}${line.toString("utf8", payload.end)}`;
  const record = readRecord(facts);
  return typeof record === "object" ? record : readRecord(line.toString());
}

const openingBrace = 0x7b;
