import { createHash } from "node:crypto";
import { isJsonObject } from "@decern/core/schema";
import { type InputFormatName, inputFormatNames, type PartRange } from "../formats/input-format.js";
import type { BulkStatus } from "../items/bulk-source.js";
import { noCounts } from "../items/counts-and-faults.js";

/** The revision that evaluates a file. If any of it differs, results may differ. */
export interface Revision {
  readonly decision: { readonly id: string; readonly version: string };
  /** As the host says. */
  readonly build?: string;
  /** Of the decision's profile, as records have it. */
  readonly profileHash: string;
  /** Of rules and schemas, and of the profiles and rules of decisions that are used. */
  readonly fingerprint: string;
}

/** Settings and progress of a job: `manifest.json` in its folder. `manifest.schema.json` of this package describes it. */
export interface Manifest {
  readonly formatVersion: 1;
  readonly state: "running" | "finished";
  readonly input: InputIdentity;
  readonly format: InputFormatName;
  /** What the format knows of the whole file. */
  readonly details?: unknown;
  readonly revision: Revision;
  /** The instant of all evaluations, in ISO 8601. */
  readonly now: string;
  readonly emit: string;
  /** JSON Pointer to the key of each input, if results have it. */
  readonly key?: string;
  readonly partBytes: number;
  readonly maxLine: number;
  /** 32 random bytes in hexadecimal, until the job has finished; for encoders other than our own. */
  readonly secret?: string;
  readonly parts: readonly ManifestPart[];
}

/** Which file it is. */
export interface InputIdentity {
  /** In bytes. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** One file of output. */
export interface ManifestPart extends PartRange {
  /** Its name in the folder. */
  readonly file: string;
  /** Absent until the file is there for good. */
  readonly done?: PartResult;
}

/** What was written. */
export interface PartResult {
  readonly bytes: number;
  /** Of the file's bytes, 64 hexadecimal digits. */
  readonly sha256: string;
  readonly counts: Readonly<Record<BulkStatus, number>>;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isSha256: Check = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
/** Used so that unrelated files are not overwritten. */
const isPartName: Check = (value) => typeof value === "string" && /^part-\d{5,9}\.(ndjson|csv)$/.test(value);
const isInstant: Check = (value) => typeof value === "string" && Number.isFinite(Date.parse(value));
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const shape =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(members).every(([name, check]) => check(value[name]));
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const statuses = Object.keys(noCounts);
const countOf: Readonly<Record<string, Check>> = Object.fromEntries(statuses.map((name) => [name, isCount]));

const isRightShape = shape({
  formatVersion: oneOf(1),
  state: oneOf("running", "finished"),
  input: shape({ size: isCount, sha256: isSha256 }),
  format: oneOf(...inputFormatNames),
  revision: shape({
    decision: shape({ id: isText, version: isText }),
    build: optional(isText),
    profileHash: isText,
    fingerprint: isText,
  }),
  now: isInstant,
  emit: isText,
  key: optional(isText),
  partBytes: isCount,
  maxLine: isCount,
  secret: optional(isSha256),
  parts: listOf(
    shape({
      file: isPartName,
      start: isCount,
      end: isCount,
      firstLine: isCount,
      records: isCount,
      done: optional(shape({ bytes: isCount, sha256: isSha256, counts: shape(countOf) })),
    }),
  ),
});

/** Whether a value is a manifest of this version. */
function isManifest(value: unknown): value is Manifest {
  return isRightShape(value);
}

/** A manifest as its file has it. It ends with a hash of itself: a part that somebody deletes from the list would not be missed. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, sha256: hashOf(manifest) }, undefined, 2)}\n`;
}

/** @returns `undefined` for what was cut or edited, or is of another version */
export function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { sha256, ...manifest } = value;
  return isManifest(manifest) && sha256 === hashOf(manifest) ? manifest : undefined;
}

/** Of the JSON text without white space, members in the order of the file. */
function hashOf(manifest: Manifest): string {
  return createHash("sha256").update(JSON.stringify(manifest)).digest("hex");
}
