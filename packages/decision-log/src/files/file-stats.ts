import { stat } from "node:fs/promises";
import type { StoreStats } from "@decern/core";
import { listLaneFiles } from "./lanes/lane-file.js";
import { lineBlocks, newline } from "./lines/line-blocks.js";
import { payloadRange, timeOf } from "./lines/record-text.js";

/** Counts the records of a directory. It reads all of it. */
export async function fileStats(directory: string): Promise<StoreStats> {
  let records = 0;
  let bytes = 0;
  let withoutPayload = 0;
  let oldest: string | undefined;
  let newest: string | undefined;
  for (const { path } of await listLaneFiles(directory)) {
    bytes += await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    for await (const { bytes: block, isTorn } of lineBlocks(path)) {
      for (let from = 0; !isTorn && from < block.length; ) {
        const end = block.indexOf(newline, from);
        const line = block.subarray(from, end);
        from = end + 1;
        const time = timeOf(line);
        if (time === undefined) continue;
        records += 1;
        if (oldest === undefined || time < oldest) oldest = time;
        if (newest === undefined || time > newest) newest = time;
        const payload = payloadRange(line);
        if (payload !== undefined && line.toString("latin1", payload.start, payload.start + 4) === "null") {
          withoutPayload += 1;
        }
      }
    }
  }
  return {
    records,
    oldest: oldest === undefined ? undefined : new Date(oldest),
    newest: newest === undefined ? undefined : new Date(newest),
    bytes,
    withoutPayload,
  };
}
