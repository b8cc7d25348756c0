import type { Decision, InputOf } from "@decern/core";
import {
  type Checked,
  checkedOptions,
  type Kind,
  kinds,
  type OptionsOf,
  option,
  type RowsOf,
  requiredOption,
} from "@decern/core/options";
import { Drafter, type DrafterOptions } from "./record/drafter.js";
import { Masks } from "./record/masks.js";
import type { RecordStore } from "./record/record-store.js";
import { type SubjectKey, subjectFunctions, subjectsOf } from "./record/subjects.js";

/** A decision and, where its type tells, everything that it uses. */
type WithUsed<D extends Decision> =
  | D
  | (D extends { readonly uses: infer Uses extends readonly Decision[] }
      ? number extends Uses["length"]
        ? never
        : WithUsed<Uses[number]>
      : never);

type IdOf<Decisions extends readonly Decision[]> = WithUsed<Decisions[number]>["id"];

const sampleRows = {
  /** @default 1 */
  OK: option(kinds.share),
  /** @default 1 */
  NO_MATCH: option(kinds.share),
};

/** The shares of calls to record, from 0 to 1. Errors and refusals are always recorded. */
export interface SampleRates extends OptionsOf<typeof sampleRows> {}

/** Whom a record is about. */
export interface SubjectOptions<Decisions extends readonly Decision[]> {
  /** At least 16 bytes, secret. Of several, the first one writes, and all of them find and erase. */
  readonly key: SubjectKey | readonly SubjectKey[];
  /**
   * By id of the decision: names the person concerned, `undefined` for no person. The input is not validated. When it throws, the
   * record is written without its payload.
   */
  readonly of: {
    readonly [Id in Decisions[number]["id"]]?:
      | ((input: InputOf<Extract<Decisions[number], { readonly id: Id }>>) => string | undefined)
      | undefined;
  };
}

const storeRows = {
  /** `ndjsonFiles(…)`, `recordFiles(…)`, or `postgres(…)` of `@decern/postgres`. */
  store: requiredOption(kinds.built<RecordStore>("record-store", "must be a store, such as ndjsonFiles()")),
  /** Your build, such as a commit. @default none */
  build: option(kinds.nonEmptyText),
};

const writingRows = {
  /**
   * `"reply"`: a response is sent only when its record is on disk.
   *
   * With `"batch"`, a crash loses the records of the last `intervalMs`.
   * @default "batch"
   */
  durable: option(kinds.oneOf("batch", "reply"), "batch"),
  /** With `"batch"`: how long a record can wait, in milliseconds. @default 200 */
  intervalMs: option(kinds.wholeNumber, 200),
  /**
   * If the store is down or the buffer full: `"refuse"` returns 503 `RECORD_UNAVAILABLE`, `"drop"` evaluates without records.
   * @default "refuse"
   */
  onFull: option(kinds.oneOf("refuse", "drop"), "refuse"),
  /** Characters of the buffer, roughly. @default 67108864 */
  maxPendingBytes: option(kinds.wholeNumber, 67_108_864),
  /** A slower store counts as down, in milliseconds. @default 5000 */
  writeTimeoutMs: option(kinds.wholeNumber, 5000),
  /** How often the head of the chain is logged, in milliseconds. @default 60000 */
  headEveryMs: option(kinds.wholeNumber, 60_000),
  /** `{ error, warn?, info? }`. @default the first host's */
  logger: option(kinds.logger),
};

/**
 * Options of `decisionLog`.
 *
 * @typeParam Decisions - the decisions that are recorded, which types `mask`, `subject` and `sample`
 */
export interface DecisionLogOptions<Decisions extends readonly Decision[] = readonly Decision[]>
  extends OptionsOf<typeof storeRows>,
    OptionsOf<typeof writingRows> {
  /**
   * By decision id: JSON Pointers into the payload to values that are
   * [never written](https://github.com/decern/decern/blob/main/docs/records.md#masks); `*` matches one level.
   *
   * They begin with `/input`, `/profile`, `/result`, `/error` or `/used`, such as `/input/people/*\/name`. A masked text or
   * number is also removed wherever else it appears in a payload.
   * @default nothing
   */
  readonly mask?: { readonly [Id in IdOf<Decisions>]?: readonly string[] | undefined } | undefined;
  /**
   * `{ key, of }`: the person, stored as HMAC-SHA-256. `key`: at least 16 characters or bytes; of a list, the first writes and
   * all search. `of`: by decision id, `(input) => string | undefined`.
   * @default none
   */
  readonly subject?: SubjectOptions<Decisions> | undefined;
  /** By decision id: `{ OK?, NO_MATCH? }`, the share to record, from 0 to 1. @default everything */
  readonly sample?: { readonly [Id in Decisions[number]["id"]]?: SampleRates | undefined } | undefined;
}

/** Shorter ones can be guessed. */
const leastKeyBytes = 16;

const key = kinds.that<SubjectKey>(
  (value) =>
    (typeof value === "string" || value instanceof Uint8Array) && Buffer.byteLength(value) >= leastKeyBytes,
  `must be text or bytes, at least ${leastKeyBytes} of them`,
);

const keyList = kinds.listOf(key, { nonEmpty: true });

const keys: Kind<SubjectKey | readonly SubjectKey[]> = (value, path) =>
  (Array.isArray(value) ? keyList : key)(value, path);

const mask = kinds.matching(
  // A pointer with a name in it, whose escapes are valid.
  /^\/(?:input|profile|result|error|used)(?:\/(?:[^~/]|~[01])*)*$/,
  "must be a JSON Pointer that begins with /input, /profile, /result, /error or /used",
);

/** The generic options, whatever the decisions. */
export const payloadRows = {
  mask: option(kinds.byName(kinds.listOf(mask)), {}),
  subject: option(
    kinds.group({
      key: requiredOption(keys),
      of: requiredOption(kinds.byName(kinds.callback<(input: unknown) => string | undefined>())),
    }),
  ),
};

const rows = {
  ...storeRows,
  ...payloadRows,
  sample: option(kinds.byName(kinds.group(sampleRows)), {}),
  ...writingRows,
} satisfies RowsOf<DecisionLogOptions>;

export type LogSettings = Checked<typeof rows>;

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function logSettings(options: object): LogSettings {
  return checkedOptions("decisionLog", options, rows);
}

/** What writes records down as the options say. @param onWithoutPayload - told that a mask or a `subject` failed */
export function drafterOf(
  { build, mask, subject }: Pick<LogSettings, "build" | "mask" | "subject">,
  onWithoutPayload: DrafterOptions["onWithoutPayload"],
): Drafter {
  return new Drafter({
    build,
    masks: new Masks(mask),
    subjects: subjectsOf(subject?.key),
    subjectOf: subjectFunctions(subject?.of),
    onWithoutPayload,
  });
}
