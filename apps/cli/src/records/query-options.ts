import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { DecisionRecord, RecordConditions, RecordQuery, RecordStatus, SelectedBy } from "@decern/core";
import { CommandError, type CommandIo, type Given } from "../command-line/command.js";
import { choice, flag, instant, text, texts, wholeNumber } from "../command-line/options.js";
import type { OpenRecords } from "./open-records.js";

/** Environment variable with the key of subjects. */
const variable = "DECERN_SUBJECT_KEY";

export const subjectOptions = {
  subject: text(
    "<person>",
    "records about this person, as the host names them, or by the hash that records have",
  ),
  "key-file": texts("<file>", `file with the key of subjects; without it, ${variable} is the key`),
};

/** The person that records are about. */
export interface Person {
  readonly name: string;
  readonly keys: readonly string[];
}

const hash = /^sha256:[0-9a-f]{64}$/;

/** Whether a text is a hash, as records have them. */
export function isHash(name: string): boolean {
  return hash.test(name);
}

/** @throws CommandError if a key is needed and there is none */
export async function personOf(
  { subject: name, "key-file": files }: Given<typeof subjectOptions>,
  io: CommandIo,
): Promise<Person | undefined> {
  if (name === undefined) return undefined;
  if (name === "") throw new CommandError("--subject must name a person");
  const keys = await Promise.all(files.map((path) => readKey(path, io.cwd)));
  const own = io.env[variable];
  if (keys.length === 0 && own !== undefined && own !== "") keys.push(own);
  if (keys.length === 0 && !isHash(name)) {
    throw new CommandError(`--subject needs the key of subjects: set ${variable}, or give --key-file`);
  }
  const short = keys.find((key) => Buffer.byteLength(key) < 16);
  if (short !== undefined) throw new CommandError("a key of subjects has at least 16 bytes");
  return { name, keys };
}

/** A line break at the end of the file isn't part of the key. */
async function readKey(path: string, cwd: string): Promise<string> {
  const text = await readFile(resolve(cwd, path), "utf8").catch((error: unknown) => {
    throw new CommandError(
      `the key of subjects cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  });
  return text.replace(/\r?\n$/, "");
}

const statuses = [
  "OK",
  "NO_MATCH",
  "INVALID_INPUT",
  "INVALID_PROFILE",
  "ERROR",
] as const satisfies readonly RecordStatus[];

export const conditionOptions = {
  from: instant("records from this day (UTC) or instant on"),
  to: instant("records before this day (UTC) or instant"),
  decision: text("<id>", "records of this decision"),
  version: text("<version>", "records of this version of a decision"),
  status: choice("<status>", statuses, "records with this status"),
  rule: text("<id>", "records that this rule decided"),
  caller: text("<name>", "records of this caller"),
};

export function conditionsOf(options: Given<typeof conditionOptions>): RecordConditions {
  const { from, to, decision, version, status, rule, caller } = options;
  return { from, to, decision, version, status, rule, caller };
}

const selections = ["default", "path", "select", "shadow"] as const satisfies readonly SelectedBy[];

/** Options of a search, which also has single records, an order and an end. */
export const searchOptions = {
  ...conditionOptions,
  "request-id": text("<id>", "records of this request"),
  "record-id": text("<id>", "the record with this id, which the caller got as `decern-record-id`"),
  "selected-by": choice("<how>", selections, "records whose version was chosen this way"),
  "newest-first": flag("the newest record first"),
  limit: wholeNumber("at most this many records"),
};

/**
 * The records that a call asks for.
 *
 * @param onUnreadable - called with what isn't a record, unless the call looks for a few records: it would have to read all others
 */
export function search(
  { log, store }: OpenRecords,
  options: Given<typeof searchOptions>,
  person: Person | undefined,
  onUnreadable: RecordQuery["onUnreadable"],
): AsyncIterable<DecisionRecord> {
  const { "request-id": requestId, "record-id": recordId, "selected-by": selectedBy, limit } = options;
  const isLookup = person !== undefined || requestId !== undefined || recordId !== undefined;
  const query = {
    onUnreadable: isLookup ? undefined : onUnreadable,
    ...conditionsOf(options),
    requestId,
    recordId,
    newestFirst: options["newest-first"],
    // Stores can't select by this, so it happens below.
    limit: selectedBy === undefined ? limit : undefined,
  };
  const found =
    person === undefined
      ? log.find(query)
      : isHash(person.name)
        ? store.find({ ...query, subjects: [person.name] })
        : log.find({ ...query, subject: person.name });
  return selectedBy === undefined ? found : selectedOnly(found, selectedBy, limit);
}

async function* selectedOnly(
  found: AsyncIterable<DecisionRecord>,
  selectedBy: string,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<DecisionRecord, void> {
  let left = limit;
  if (left === 0) return;
  for await (const record of found) {
    if (record.selectedBy !== selectedBy) continue;
    yield record;
    left -= 1;
    if (left === 0) return;
  }
}
