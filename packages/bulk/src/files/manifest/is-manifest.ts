import { isJsonObject } from "@decern/core/schema";
import { noCounts } from "../../status-counts.js";
import { inputFormatNames } from "../formats/input-format.js";
import type { Manifest } from "./manifest.js";

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
export function isManifest(value: unknown): value is Manifest {
  return isRightShape(value);
}
