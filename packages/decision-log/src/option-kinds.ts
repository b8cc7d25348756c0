import type { RecordStore } from "@decern/core";
import { evaluatorOptionKinds } from "@decern/core/host";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { checkOptions, feature, type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import type { DecisionLogOptions, SampleRates, SubjectOptions } from "./options.js";

const { callback, either, group, listOf, nonEmptyText, object, wholeNumber } = optionKinds;

/** Shorter ones can be guessed. */
const leastKeyBytes = 16;

const store: OptionKind = (value, path) =>
  isStore(value) ? [] : [{ path, message: "must be a store, such as ndjsonFiles()" }];

function isStore(value: unknown): value is RecordStore {
  return typeof value === "object" && value !== null && Reflect.get(value, feature) === "record-store";
}

const key: OptionKind = (value, path) => {
  const isKey = typeof value === "string" || value instanceof Uint8Array;
  return isKey && Buffer.byteLength(value) >= leastKeyBytes
    ? []
    : [{ path, message: `must be text or bytes, at least ${leastKeyBytes} of them` }];
};

const keys: OptionKind = (value, path) =>
  Array.isArray(value) ? listOf(key, { nonEmpty: true })(value, path) : key(value, path);

const share: OptionKind = (value, path) =>
  typeof value === "number" && value >= 0 && value <= 1
    ? []
    : [{ path, message: "must be a number from 0 to 1" }];

/** A pointer with a name in it, whose escapes are valid. */
const maskPattern = /^\/(?:input|profile|result|error|used)(?:\/(?:[^~/]|~[01])*)*$/;

const mask: OptionKind = (value, path) =>
  typeof value === "string" && maskPattern.test(value)
    ? []
    : [
        {
          path,
          message: "must be a JSON Pointer that begins with /input, /profile, /result, /error or /used",
        },
      ];

/** By id of the decision. */
function byId(kind: OptionKind): OptionKind {
  return (value, path) =>
    isJsonObject(value)
      ? Object.entries(value).flatMap(([id, own]) =>
          own === undefined ? [] : kind(own, `${path}/${escapePointer(id)}`),
        )
      : object(value, path);
}

function oneOf(...words: readonly string[]): OptionKind {
  const message = `must be ${words.map((word) => JSON.stringify(word)).join(" or ")}`;
  return either(message, (value, path) => (words.some((word) => word === value) ? [] : [{ path, message }]));
}

export const maskKind: OptionKind = byId(listOf(mask));

export const subjectKind: OptionKind = group<SubjectOptions<readonly []>>({ key: keys, of: byId(callback) }, [
  "key",
  "of",
]);

const kinds: OptionTable<DecisionLogOptions> = {
  store,
  build: nonEmptyText,
  mask: maskKind,
  subject: subjectKind,
  sample: byId(group<SampleRates>({ OK: share, NO_MATCH: share })),
  durable: oneOf("batch", "reply"),
  intervalMs: wholeNumber,
  onFull: oneOf("refuse", "drop"),
  maxPendingBytes: wholeNumber,
  writeTimeoutMs: wholeNumber,
  headEveryMs: wholeNumber,
  logger: evaluatorOptionKinds.logger,
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkLogOptions(options: unknown): void {
  checkOptions("decisionLog", options, { kinds, required: ["store"] });
}
