import type { UnreadableRecord } from "@decern/core";
import { type Command, exitCodes } from "../command-line/command.js";
import { search, searchOptions } from "../records/query-options.js";
import { personOf, subjectOptions } from "../records/subject-keys.js";

export const logFindCommand: Command = {
  name: "log find",
  summary: "Print records as NDJSON, which other commands can read",
  positionals: "<records…>",
  counts: [1, Number.POSITIVE_INFINITY],
  options: {
    ...searchOptions,
    ...subjectOptions,
    "with-profiles": {
      description: "also print each profile, before the first record that uses it, for decern replay",
    },
  },
  examples: [
    [
      "decern log find records/ --decision loan-approval --status NO_MATCH --from 2026-03-01",
      "Prints the applications since March that matched no rule.",
    ],
    [
      "decern log find postgres://reader@db/decern --to 2026-04-01 --with-profiles > march.ndjson",
      "Copies records and their profiles to a file for replay.",
    ],
    [
      "DECERN_SUBJECT_KEY=… decern log find records/ --subject C-1042 --newest-first",
      "Prints the records of one person.",
    ],
  ],
  exits: {
    0: "printed, even if nothing was found",
    1: "wrong usage, or records that cannot be read, such as files without a single record",
  },
  async run(call, io) {
    const person = await personOf(call, io);
    const { withRecords } = await import("../records/open-records.js");
    const { RecordLines } = await import("../records/record-lines.js");
    const { writeText } = await import("../command-line/write-text.js");
    const { tellLeftOut } = await import("../records/left-out.js");
    return await withRecords(call.positionals, io, { keys: person?.keys }, async (records) => {
      const lines = new RecordLines(records.log, call.flag("with-profiles"));
      const leftOut: UnreadableRecord[] = [];
      let count = 0;
      let found = 0;
      const onUnreadable = (record: UnreadableRecord): void => {
        count += 1;
        if (leftOut.length < 10) leftOut.push(record);
      };
      for await (const record of search(records, call, person, onUnreadable)) {
        found += 1;
        await writeText(io.stdout, await lines.write(record));
      }
      await tellLeftOut(count, leftOut, io);
      const isBroken = found === 0 && count > 0 && (await records.log.stats()).records === 0;
      return isBroken ? exitCodes.broken : exitCodes.ok;
    });
  },
};
