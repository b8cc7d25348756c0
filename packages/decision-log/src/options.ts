import type { Decision, InputOf, Logger } from "@decern/core";
import { evaluatorRows } from "@decern/core/host";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { checkOptions, feature, type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import { Masks } from "./payload/masks.js";
import { Drafter, type DrafterOptions } from "./record/drafter.js";
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

/** The shares of calls to record, from 0 to 1. Errors and refusals are always recorded. */
export interface SampleRates {
  /** @default 1 */
  readonly OK?: number | undefined;
  /** @default 1 */
  readonly NO_MATCH?: number | undefined;
}

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

/**
 * Options of `decisionLog`.
 *
 * @typeParam Decisions - the decisions that are recorded, which types `mask`, `subject` and `sample`
 */
export interface DecisionLogOptions<Decisions extends readonly Decision[] = readonly Decision[]> {
  /** Where records are kept: `ndjsonFiles(…)`, or `postgres(…)` of `@decern/postgres/log`. */
  readonly store: RecordStore;
  /** The host's build, such as a commit. @default none */
  readonly build?: string | undefined;
  /**
   * What never to write, by id of the decision: JSON Pointers into the payload, such as `/input/people/*\/name`. They begin with
   * `/input`, `/profile`, `/result`, `/error` or `/used`; `*` stands for everything on one level. Wherever else a masked
   * text or number turns up in a payload, that is removed too. @default nothing
   */
  readonly mask?: { readonly [Id in IdOf<Decisions>]?: readonly string[] | undefined } | undefined;
  /** @default records name no person */
  readonly subject?: SubjectOptions<Decisions> | undefined;
  /** By id of the decision. @default everything is recorded */
  readonly sample?: { readonly [Id in Decisions[number]["id"]]?: SampleRates | undefined } | undefined;
  /**
   * When a reply may leave: `reply` waits until its record is on disk; with `batch`, a crash loses the records of the last
   * `intervalMs`. @default "batch"
   */
  readonly durable?: "batch" | "reply" | undefined;
  /** How long a record waits for others to be written with it, in milliseconds. Only with `batch`. @default 200 */
  readonly intervalMs?: number | undefined;
  /**
   * What to do while the store is down or the buffer is full: `refuse` returns 503 `RECORD_UNAVAILABLE`; `drop` evaluates, and
   * counts what was not recorded. @default "refuse"
   */
  readonly onFull?: "refuse" | "drop" | undefined;
  /** About how many characters of records may wait to be written. @default 67108864 (64 Mi) */
  readonly maxPendingBytes?: number | undefined;
  /** A store that takes longer to write counts as down, in milliseconds. @default 5000 */
  readonly writeTimeoutMs?: number | undefined;
  /** How often the head of the chain is logged, in milliseconds. @default 60000 */
  readonly headEveryMs?: number | undefined;
  /** @default that of the first host */
  readonly logger?: Logger | undefined;
}

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
  logger: evaluatorRows.logger.kind,
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkLogOptions(options: unknown): void {
  checkOptions("decisionLog", options, { kinds, required: ["store"] });
}

/** What writes records down as the options say. @param onWithoutPayload - told that a mask or a `subject` failed */
export function drafterOf<Decisions extends readonly Decision[]>(
  { build, mask = {}, subject }: Pick<DecisionLogOptions<Decisions>, "build" | "mask" | "subject">,
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
