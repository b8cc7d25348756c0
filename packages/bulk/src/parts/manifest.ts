import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DecernError } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { hasCode } from "@decern/core/tools";
import { type InputFormatName, inputFormatNames, type PartRange } from "../formats/input-format.js";
import type { BulkStatus } from "../items/bulk-source.js";
import { statuses } from "../items/counts-and-faults.js";
import { DurableFile } from "./durable-file.js";

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
  /** 32 random bytes in hexadecimal, until the job has finished; for encoders of the host. */
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

const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isText: Check = (value) => typeof value === "string";
const isInstant: Check = (value) => typeof value === "string" && Number.isFinite(Date.parse(value));
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shape =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(members).every(([name, check]) => check(value[name]));

const isSha256 = matches(/^[0-9a-f]{64}$/);
const partMembers = { start: isCount, end: isCount, firstLine: isCount, records: isCount };
const isCounts = shape(Object.fromEntries(statuses.map((name) => [name, isCount])));
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
      ...partMembers,
      // Other names would let a job overwrite unrelated files.
      file: matches(/^part-\d{5,9}\.(ndjson|csv)$/),
      done: optional(shape({ bytes: isCount, sha256: isSha256, counts: isCounts })),
    }),
  ),
});

function isManifest(value: unknown): value is Manifest {
  return isRightShape(value);
}

/** Of the JSON text without white space, members in the order of the file. */
function hashOf(manifest: Manifest): string {
  return createHash("sha256").update(JSON.stringify(manifest)).digest("hex");
}

/** @returns `undefined` if it was cut, edited, or is of another version */
function parseManifest(text: string): Manifest | undefined {
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

/** Share of its time that a job spends on its manifest: a large one is written less often. */
const share = 1 / 20;

export class ManifestFile {
  readonly #path: string;
  #manifest: Manifest;
  readonly #parts: ManifestPart[];
  #writing: Promise<unknown> | undefined;
  #isStale = false;
  #nextMs = 0;

  constructor(folder: string, manifest: Manifest) {
    this.#path = join(folder, "manifest.json");
    this.#manifest = manifest;
    this.#parts = [...manifest.parts];
  }

  static async read(folder: string): Promise<Manifest | undefined> {
    const text = await readFile(join(folder, "manifest.json"), "utf8").catch((error: unknown) => {
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    const manifest = parseManifest(text);
    if (manifest !== undefined) return manifest;
    const message = "has a manifest.json that was edited, is damaged, or is of another version";
    const problems = [{ path: "/output", message }];
    throw new DecernError("INVALID_OPTIONS", { detail: "bulkFile", problems });
  }

  /** A part that is not in the manifest is made again. */
  note(index: number, done: PartResult | undefined): void {
    const known = this.#parts[index];
    if (known === undefined) return;
    const { done: _done, ...part } = known;
    this.#parts[index] = done === undefined ? part : { ...part, done };
    this.#isStale = true;
  }

  /** Writes what was noted, unless that was done a moment ago. */
  async writeSoon(): Promise<void> {
    if (this.#writing === undefined && performance.now() >= this.#nextMs) await this.write();
  }

  async write(): Promise<void> {
    await this.#writing;
    if (!this.#isStale) return;
    this.#isStale = false;
    const beganMs = performance.now();
    this.#writing = this.#replace();
    try {
      await this.#writing;
    } finally {
      this.#writing = undefined;
      const endMs = performance.now();
      this.#nextMs = endMs + (endMs - beganMs) / share;
    }
  }

  async begin(): Promise<void> {
    await this.#change({ ...this.#manifest, state: "running" });
  }

  async finish(): Promise<void> {
    const { secret: _secret, ...rest } = this.#manifest;
    await this.#change({ ...rest, state: "finished" });
  }

  async #change(manifest: Manifest): Promise<void> {
    this.#manifest = manifest;
    this.#isStale = true;
    await this.write();
  }

  /** The hash of the manifest reveals a deleted part. */
  async #replace(): Promise<void> {
    const manifest = { ...this.#manifest, parts: this.#parts };
    const text = `${JSON.stringify({ ...manifest, sha256: hashOf(manifest) }, undefined, 2)}\n`;
    const file = await DurableFile.create(this.#path);
    try {
      await file.write(Buffer.from(text));
      await file.finish();
    } catch (error) {
      await file.abandon();
      throw error;
    }
  }
}
