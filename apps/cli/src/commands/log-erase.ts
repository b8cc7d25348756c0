import { type Command, CommandError, exitCodes } from "../command-line/command.js";
import { Progress, plural } from "../command-line/progress.js";
import type { OpenRecords } from "../records/open-records.js";
import { isSubjectHash, type Person, personOf, subjectOptions } from "../records/subject-keys.js";
import { formatOption, isJson, jsonText } from "./format-option.js";

export const logEraseCommand: Command = {
  name: "log erase",
  summary: "Erase a person's recorded data; the chain stays valid",
  positionals: "<records…>",
  counts: [1, Number.POSITIVE_INFINITY],
  options: {
    ...subjectOptions,
    "dry-run": { description: "only count the records that would be erased" },
    ...formatOption,
  },
  examples: [
    [
      "decern log erase records/ --subject C-1042 --key-file subject.key --dry-run",
      "Counts the records with data to erase.",
    ],
    [
      "DECERN_SUBJECT_KEY=… decern log erase records/ --subject C-1042",
      "Erases it for good. This cannot be undone.",
    ],
  ],
  exits: {
    0: "erased",
    1: "wrong usage, or records that cannot be changed",
    2: "no record with data of this person was found",
  },
  async run(call, io) {
    const person = await personOf(call, io);
    if (person === undefined) throw new CommandError("decern log erase needs --subject <person>");
    const isRehearsal = call.flag("dry-run");
    const { withRecords } = await import("../records/open-records.js");
    const { writeText } = await import("../command-line/write-text.js");
    const progress = new Progress(io);
    progress.show("Looking for records …");
    const options = { keys: person.keys, erases: !isRehearsal };
    const records = await withRecords(call.positionals, io, options, (opened) =>
      isRehearsal ? count(opened, person) : erase(opened, person),
    ).finally(() => progress.end());
    const text =
      records === 0
        ? "Found no record with data of this person: nothing to erase\n"
        : `${isRehearsal ? "Would erase" : "Erased"} the payload of ${plural(records, "record")}\n`;
    await writeText(io.stdout, isJson(call) ? jsonText({ records }) : text);
    // A wrong id or key looks the same, and whoever asked for the erasure must not be told that it was done.
    return records === 0 ? exitCodes.failed : exitCodes.ok;
  },
};

async function erase({ log, store }: OpenRecords, { name }: Person): Promise<number> {
  return isSubjectHash(name) ? await store.erase([name]) : (await log.erase({ subject: name })).records;
}

async function count({ log, store }: OpenRecords, { name }: Person): Promise<number> {
  const found = isSubjectHash(name) ? store.find({ subjects: [name] }) : log.find({ subject: name });
  let records = 0;
  for await (const { payload } of found) records += payload === null ? 0 : 1;
  return records;
}
