import type { DecisionRecord } from "@decern/core";
import { type Command, CommandError, exitCodes } from "../command-line/command.js";
import type { OpenRecords } from "../records/open-records.js";
import { formatOption, isJson, jsonText } from "./format-option.js";

export const logShowCommand: Command = {
  name: "log show",
  summary: "Show a record and its profile",
  positionals: "<records…> <id>",
  counts: [2, Number.POSITIVE_INFINITY],
  options: formatOption,
  examples: [
    [
      "decern log show records/ 019a7b31-8f00-7cc2-9f2c-5c1d8a0b3e11",
      "Shows a record by its id, which the caller received as decern-record-id.",
    ],
    ["decern log show records/ my-request-1 --format json", "Shows every record of a request, as JSON."],
  ],
  exits: { 0: "shown", 1: "wrong usage, records that cannot be read, or no such record" },
  async run(call, io) {
    const id = call.positionals.at(-1) ?? "";
    const { withRecords } = await import("../records/open-records.js");
    const { showRecord } = await import("../text/show-record.js");
    const { writeText } = await import("../command-line/write-text.js");
    await withRecords(call.positionals.slice(0, -1), io, {}, async (records) => {
      const found = await recordsOf(records, id);
      if (found.length === 0) throw new CommandError(`no record has the record id or request id "${id}"`);
      const shown = await Promise.all(
        found.map(async (record) => ({ record, profile: await profileOf(records, record) })),
      );
      const text = isJson(call) ? jsonText(shown) : shown.map(showRecord).join("\n");
      await writeText(io.stdout, text);
    });
    return exitCodes.ok;
  },
};

async function recordsOf({ log }: OpenRecords, id: string): Promise<readonly DecisionRecord[]> {
  for await (const record of log.find({ recordId: id, limit: 1 })) return [record];
  const records: DecisionRecord[] = [];
  for await (const record of log.find({ requestId: id, limit: 1000 })) records.push(record);
  return records;
}

async function profileOf({ log }: OpenRecords, { profileHash, payload }: DecisionRecord): Promise<unknown> {
  return payload !== null && "profile" in payload ? payload.profile : await log.profile(profileHash);
}
