import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { DecisionRecord, RecordConditions, RecordQuery, RecordStatus, SelectedBy } from "@decern/core";
import {
  type CommandCall,
  CommandError,
  type CommandIo,
  type CommandOption,
} from "../command-line/command.js";
import { instant, wholeNumber } from "../command-line/options.js";
import type { OpenRecords } from "./open-records.js";

/** Environment variable with the key of subjects. */
const variable = "DECERN_SUBJECT_KEY";

export const subjectOptions = {
  subject: {
    value: "<person>",
    description: "records about this person, as the host names them, or by the hash that records have",
  },
  "key-file": {
    value: "<file>",
    multiple: true,
    description: `file with the key of subjects; without it, ${variable} is the key`,
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** The person that a command is about. */
export interface Person {
  readonly name: string;
  readonly keys: readonly string[];
}

const hash = /^sha256:[0-9a-f]{64}$/;

/** Whether a person is named by the hash that records have. */
export function isSubjectHash(name: string): boolean {
  return hash.test(name);
}

/** @throws CommandError where a key is needed and there is none */
export async function personOf(call: CommandCall, io: CommandIo): Promise<Person | undefined> {
  const name = call.value("subject");
  if (name === undefined) return undefined;
  if (name === "") throw new CommandError("--subject must name a person");
  const keys = await Promise.all(call.values("key-file").map((path) => readKey(path, io.cwd)));
  const own = io.env[variable];
  if (keys.length === 0 && own !== undefined && own !== "") keys.push(own);
  if (keys.length === 0 && !isSubjectHash(name)) {
    throw new CommandError(`--subject needs the key of subjects: set ${variable}, or give --key-file`);
  }
  const short = keys.find((key) => Buffer.byteLength(key) < 16);
  if (short !== undefined) throw new CommandError("a key of subjects has at least 16 bytes");
  return { name, keys };
}

/** The line break at the end of a file is none of the key. */
async function readKey(path: string, cwd: string): Promise<string> {
  const text = await readFile(resolve(cwd, path), "utf8").catch((error: unknown) => {
    throw new CommandError(
      `the key of subjects cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  });
  return text.replace(/\r?\n$/, "");
}

const selections = ["default", "path", "select", "shadow"] as const satisfies readonly SelectedBy[];

const statuses = [
  "OK",
  "NO_MATCH",
  "INVALID_INPUT",
  "INVALID_PROFILE",
  "ERROR",
] as const satisfies readonly RecordStatus[];

/** Options that say which records, for every command that reads many. */
export const conditionOptions = {
  from: { value: "<time>", description: "records from this day (UTC) or instant on" },
  to: { value: "<time>", description: "records before this day (UTC) or instant" },
  decision: { value: "<id>", description: "records of this decision" },
  version: { value: "<version>", description: "records of this version of a decision" },
  status: { value: "<status>", choices: statuses, description: "records with this status" },
  rule: { value: "<id>", description: "records that this rule decided" },
  caller: { value: "<name>", description: "records of this caller" },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** @throws CommandError for a time that cannot be read */
export function conditionsOf(call: CommandCall): RecordConditions {
  const status = call.value("status");
  return {
    from: instant(call, "from"),
    to: instant(call, "to"),
    decision: call.value("decision"),
    version: call.value("version"),
    status: statuses.find((each) => each === status),
    rule: call.value("rule"),
    caller: call.value("caller"),
  };
}

/** Options of a search, which also knows single records, an order and an end. */
export const searchOptions = {
  ...conditionOptions,
  "request-id": { value: "<id>", description: "records of this request" },
  "record-id": {
    value: "<id>",
    description: "the record with this id, which the caller got as `decern-record-id`",
  },
  "selected-by": {
    value: "<how>",
    choices: selections,
    description: "records whose version was chosen this way",
  },
  "newest-first": { description: "the newest record first" },
  limit: { value: "<n>", description: "at most this many records" },
} as const satisfies Readonly<Record<string, CommandOption>>;

/**
 * The records that a call asks for.
 *
 * @param onUnreadable - called with what isn't a record, unless the call looks for a few records: it would have to read all others too
 */
export function search(
  { log, store }: OpenRecords,
  call: CommandCall,
  person: Person | undefined,
  onUnreadable: RecordQuery["onUnreadable"],
): AsyncIterable<DecisionRecord> {
  const isLookup =
    person !== undefined || call.value("request-id") !== undefined || call.value("record-id") !== undefined;
  const selectedBy = call.value("selected-by");
  const limit = wholeNumber(call, "limit");
  const query = {
    onUnreadable: isLookup ? undefined : onUnreadable,
    ...conditionsOf(call),
    requestId: call.value("request-id"),
    recordId: call.value("record-id"),
    newestFirst: call.flag("newest-first"),
    // Stores don't know how a version was chosen: what they find is still to be chosen from.
    limit: selectedBy === undefined ? limit : undefined,
  };
  const found =
    person === undefined
      ? log.find(query)
      : isSubjectHash(person.name)
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
