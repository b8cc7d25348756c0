import { type Command, exitCodes } from "../command-line/command.js";
import { search, searchOptions } from "../records/query-options.js";
import { personOf, subjectOptions } from "../records/subject-keys.js";

export const logFindCommand: Command = {
  name: "log find",
  summary: "Print records as NDJSON that is itself a file of records",
  positionals: "<records…>",
  counts: [1, Number.POSITIVE_INFINITY],
  options: { ...searchOptions, ...subjectOptions },
  examples: [
    [
      "decern log find records/ --decision loan-approval --status NO_MATCH --from 2026-03-01",
      "Prints the applications that no rule covered since March.",
    ],
    [
      "decern log find postgres://reader@db/decern --to 2026-04-01 > march.ndjson",
      "Copies records to a file that replay reads, with the profiles that they need.",
    ],
    [
      "DECERN_SUBJECT_KEY=… decern log find records/ --subject C-1042 --newest-first",
      "Prints what is recorded about one person.",
    ],
  ],
  exits: { 0: "printed, even where nothing was found", 1: "wrong use, or records that cannot be read" },
  async run(call, io) {
    const person = await personOf(call, io);
    const { withRecords } = await import("../records/open-records.js");
    const { RecordLines } = await import("../records/record-lines.js");
    const { writeText } = await import("../command-line/write-text.js");
    await withRecords(call.positionals, io, { keys: person?.keys }, async (records) => {
      const lines = new RecordLines(records.log);
      for await (const record of search(records, call, person)) {
        await writeText(io.stdout, await lines.write(record));
      }
    });
    return exitCodes.ok;
  },
};
