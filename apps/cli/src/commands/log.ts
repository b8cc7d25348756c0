import type { DecisionRecord, UnreadableRecord } from "@decern/core";
import { CommandError, defineCommand, exitCodes } from "../command-line/command.js";
import { flag, formatOption, texts } from "../command-line/options.js";
import { jsonText, writeResult, writeText } from "../command-line/output.js";
import type { OpenRecords } from "../records/open-records.js";
import {
  isHash,
  type Person,
  personOf,
  search,
  searchOptions,
  subjectOptions,
} from "../records/query-options.js";
import { grouped, plural } from "../text/text.js";

export const logFindCommand = defineCommand({
  name: "log find",
  summary: "Print records as NDJSON, which other commands can read",
  positionals: "<records…>",
  options: {
    ...searchOptions,
    ...subjectOptions,
    "with-profiles": flag("also print each profile, before the first record that uses it, for decern replay"),
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
  async run({ positionals, options }, io) {
    const person = await personOf(options, io);
    const { withRecords } = await import("../records/open-records.js");
    const { RecordLines, tellLeftOut } = await import("../records/show-records.js");
    return await withRecords(positionals, io, { keys: person?.keys }, async (records) => {
      const lines = new RecordLines(records.log, options["with-profiles"]);
      const leftOut: UnreadableRecord[] = [];
      let count = 0;
      let found = 0;
      const onUnreadable = (record: UnreadableRecord): void => {
        count += 1;
        if (leftOut.length < 10) leftOut.push(record);
      };
      for await (const record of search(records, options, person, onUnreadable)) {
        found += 1;
        await writeText(io.stdout, await lines.write(record));
      }
      await tellLeftOut(count, leftOut, io);
      if (found > 0 || count === 0) return exitCodes.ok;
      return (await records.log.stats()).records === 0 ? exitCodes.broken : exitCodes.ok;
    });
  },
});

export const logShowCommand = defineCommand({
  name: "log show",
  summary: "Show a record and its profile, or the table or profile of a hash",
  positionals: "<records…> <id>",
  options: formatOption,
  examples: [
    [
      "decern log show records/ 019a7b31-8f00-7cc2-9f2c-5c1d8a0b3e11",
      "Shows a record by its id, which the caller received as decern-record-id.",
    ],
    ["decern log show records/ my-request-1 --format json", "Shows every record of a request, as JSON."],
    ["decern log show records/ sha256:3f9c… > fee.json", "Writes the table of this content hash to a file."],
  ],
  exits: { 0: "shown", 1: "wrong usage, records that cannot be read, or no such record or hash" },
  async run({ positionals, options }, io) {
    const id = positionals.at(-1) ?? "";
    const { withRecords } = await import("../records/open-records.js");
    const { showRecord } = await import("../records/show-records.js");
    await withRecords(positionals.slice(0, -1), io, {}, async (records) => {
      if (isHash(id)) return await writeText(io.stdout, jsonText(await documentOf(records, id)));
      const found = await recordsOf(records, id);
      if (found.length === 0) throw new CommandError(`no record has the record id or request id "${id}"`);
      const shown = await Promise.all(
        found.map(async (record) => ({ record, profile: await profileOf(records, record) })),
      );
      await writeResult(io, options, shown, () => shown.map(showRecord).join("\n"));
    });
    return exitCodes.ok;
  },
});

/** What records name by a hash. As it is, so that `decern table` can read a table. */
async function documentOf({ log }: OpenRecords, hash: string): Promise<unknown> {
  const document = (await log.content(hash))?.document ?? (await log.profile(hash));
  if (document === undefined) throw new CommandError(`no table, model or profile has the hash "${hash}"`);
  return document;
}

async function recordsOf({ log }: OpenRecords, id: string): Promise<readonly DecisionRecord[]> {
  for await (const record of log.find({ recordId: id, limit: 1 })) return [record];
  const records: DecisionRecord[] = [];
  for await (const record of log.find({ requestId: id, limit: 1000 })) records.push(record);
  return records;
}

async function profileOf({ log }: OpenRecords, { profileHash, payload }: DecisionRecord): Promise<unknown> {
  return payload !== null && "profile" in payload ? payload.profile : await log.profile(profileHash);
}

export const logVerifyCommand = defineCommand({
  name: "log verify",
  summary: "Check every record and chain, and list the records with problems",
  positionals: "<records…>",
  options: {
    head: texts("<hash>", "head of a chain from the service log; fails if that record is missing"),
    ...formatOption,
  },
  examples: [
    [
      "decern log verify records/",
      "Checks hashes, chains, profiles and ids, and that each missing payload was erased.",
    ],
    [
      "decern log verify records/ --head sha256:3f9c…",
      "Also checks that the end is not missing, and tells what comes after the heads. They must be logged elsewhere.",
    ],
  ],
  exits: {
    0: "no problems found",
    1: "wrong usage, or records that cannot be read, or none at all",
    2: "problems found; the output lists the records",
  },
  async run({ positionals, options }, io) {
    const heads = options.head;
    const wrong = heads.find((head) => !isHash(head));
    if (wrong !== undefined)
      throw new CommandError(`--head must be sha256: and 64 hexadecimal digits, not "${wrong}"`);
    const { withRecords } = await import("../records/open-records.js");
    const { showVerification } = await import("../records/show-records.js");
    const found = await withRecords(positionals, io, {}, ({ log }, progress) =>
      log.verify({ heads, onRecord: progress.counter("Verified") }),
    );
    // An emptied file is a chain too. Nothing wrong with nothing must not look like a proof.
    if (found.records === 0 && found.ok) throw new CommandError("found no record to verify");
    await writeResult(io, options, found, () => showVerification(found));
    return found.ok ? exitCodes.ok : exitCodes.failed;
  },
});

export const logEraseCommand = defineCommand({
  name: "log erase",
  summary: "Erase a person's recorded data; the chain stays valid",
  positionals: "<records…>",
  options: {
    ...subjectOptions,
    "dry-run": flag("only count the records that would be erased"),
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
  async run({ positionals, options }, io) {
    const person = await personOf(options, io);
    if (person === undefined) throw new CommandError("decern log erase needs --subject <person>");
    const isRehearsal = options["dry-run"];
    const { withRecords } = await import("../records/open-records.js");
    const access = { keys: person.keys, erases: !isRehearsal };
    const records = await withRecords(positionals, io, access, (opened, progress) => {
      progress.show("Looking for records …");
      return isRehearsal ? count(opened, person) : erase(opened, person);
    });
    const text =
      records === 0
        ? "Found no record with data of this person: nothing to erase\n"
        : `${isRehearsal ? "Would erase" : "Erased"} the payload of ${plural(records, "record")}\n`;
    await writeResult(io, options, { records }, () => text);
    // A wrong id or key looks the same, so this must not look like success.
    return records === 0 ? exitCodes.failed : exitCodes.ok;
  },
});

async function erase({ log, store }: OpenRecords, { name }: Person): Promise<number> {
  return isHash(name) ? await store.erase([name]) : (await log.erase({ subject: name })).records;
}

async function count({ log, store }: OpenRecords, { name }: Person): Promise<number> {
  const found = isHash(name) ? store.find({ subjects: [name] }) : log.find({ subject: name });
  let records = 0;
  for await (const { payload } of found) records += payload === null ? 0 : 1;
  return records;
}

export const logStatsCommand = defineCommand({
  name: "log stats",
  summary: "Count records",
  positionals: "<records…>",
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
  async run({ positionals, options }, io) {
    const { withRecords } = await import("../records/open-records.js");
    const stats = await withRecords(positionals, io, {}, ({ log }, progress) => {
      progress.show("Counting records …");
      return log.stats();
    });
    const { records, oldest, newest, bytes, withoutPayload, unreadable = 0 } = stats;
    const lines = [
      `records          ${grouped(records)}`,
      ...(oldest === undefined ? [] : [`oldest           ${oldest.toISOString()}`]),
      ...(newest === undefined ? [] : [`newest           ${newest.toISOString()}`]),
      `without payload  ${grouped(withoutPayload)}`,
      `bytes            ${grouped(bytes)}`,
    ];
    await writeResult(io, options, stats, () => `${lines.join("\n")}\n`);
    const { tellLeftOut } = await import("../records/show-records.js");
    await tellLeftOut(unreadable, [], io);
    return records === 0 && unreadable > 0 ? exitCodes.broken : exitCodes.ok;
  },
});
