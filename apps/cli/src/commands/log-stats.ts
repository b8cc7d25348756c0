import { type Command, exitCodes } from "../command-line/command.js";
import { grouped, Progress } from "../command-line/progress.js";
import { formatOption, isJson, jsonText } from "./format-option.js";

export const logStatsCommand: Command = {
  name: "log stats",
  summary: "Count records",
  positionals: "<records…>",
  counts: [1, Number.POSITIVE_INFINITY],
  options: formatOption,
  examples: [
    ["decern log stats records/", "Shows the number of records, their dates and their size."],
    [
      "decern log stats records/ archive/*.ndjson --format json",
      "Counts the records of several sources together, as JSON.",
    ],
  ],
  exits: {
    0: "counted",
    1: "wrong usage, or records that cannot be read, such as files without a single record",
  },
  async run(call, io) {
    const { withRecords } = await import("../records/open-records.js");
    const { writeText } = await import("../command-line/write-text.js");
    const progress = new Progress(io);
    progress.show("Counting records …");
    const stats = await withRecords(call.positionals, io, {}, ({ log }) => log.stats()).finally(() =>
      progress.end(),
    );
    const { records, oldest, newest, bytes, withoutPayload, unreadable = 0 } = stats;
    const lines = [
      `records          ${grouped(records)}`,
      ...(oldest === undefined ? [] : [`oldest           ${oldest.toISOString()}`]),
      ...(newest === undefined ? [] : [`newest           ${newest.toISOString()}`]),
      `without payload  ${grouped(withoutPayload)}`,
      `bytes            ${grouped(bytes)}`,
    ];
    await writeText(io.stdout, isJson(call) ? jsonText(stats) : `${lines.join("\n")}\n`);
    const { tellLeftOut } = await import("../records/left-out.js");
    await tellLeftOut(unreadable, [], io);
    return records === 0 && unreadable > 0 ? exitCodes.broken : exitCodes.ok;
  },
};
