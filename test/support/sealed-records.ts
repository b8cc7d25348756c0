import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { DecisionRecord, RecordStatus } from "../../packages/core/src/index.js";
import type { RecordBatch, SealedRecord } from "../../packages/decision-log/src/index.js";

/** What a test wants to say in a record; the rest is made up. */
export interface RecordWishes {
  readonly recordedAtMs?: number;
  readonly requestId?: string;
  readonly caller?: string;
  readonly decision?: { readonly id: string; readonly version: string };
  readonly status?: RecordStatus;
  readonly matchedRule?: string;
  readonly subject?: string;
  readonly profileHash?: string;
  readonly payload?: Readonly<Record<string, unknown>> | null;
}

export function sha256(data: string | Buffer): string {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}

/** RFC 8785 of plain JSON: `JSON.stringify` writes numbers and strings as it asks. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`);
  return `{${members.join(",")}}`;
}

/** The profile that records are evaluated under unless a test says otherwise. */
export const testProfile = '{"limit":10}';
export const testProfileHash = sha256(testProfile);
export const testProfiles = keptProfiles([testProfileHash, testProfile]);

/** Profiles as a batch has them. */
export function keptProfiles(
  ...profiles: readonly (readonly [hash: string, text: string])[]
): RecordBatch["kept"] {
  return new Map(profiles.map(([hash, text]) => [hash, { key: hash, hash, text, mediaType: undefined }]));
}

/** Seals records one after the other, in a way of its own: a second opinion on what a decision log does. */
export class Sealer {
  #previousHash: string | null;

  constructor(head: string | null = null) {
    this.#previousHash = head;
  }

  seal(wishes: RecordWishes = {}): { readonly record: DecisionRecord; readonly sealed: SealedRecord } {
    const { recordedAtMs = Date.now(), status = "OK", profileHash = testProfileHash, ...rest } = wishes;
    const { payload: content = { input: { amount: 1 } }, ...known } = rest;
    const salt = randomBytes(16);
    const bare = {
      recordVersion: 1,
      recordId: randomUUID(),
      recordedAt: new Date(recordedAtMs).toISOString(),
      requestId: randomUUID(),
      decision: { id: "loan", version: "1.0.0" },
      selectedBy: "default",
      durationSeconds: 0.000123,
      sampleRate: 1,
      masked: [],
      ...known,
      status,
      profileHash,
      payloadHash: sha256(Buffer.concat([salt, Buffer.from(canonicalText(content ?? {}))])),
      previousHash: this.#previousHash,
    } as const;
    const payload = content && { ...content, salt: salt.toString("base64url") };
    const record: DecisionRecord = { ...bare, payload, hash: sha256(canonicalText(bare)) };
    this.#previousHash = record.hash;
    const line = canonicalText(record);
    const payloadStart = line.indexOf(',"payload":') + ',"payload":'.length;
    const sealed: SealedRecord = {
      recordedAtMs,
      hash: record.hash,
      bytes: Buffer.from(`${line}\n`),
      payloadStart: Buffer.byteLength(line.slice(0, payloadStart)),
      payloadEnd: Buffer.byteLength(line.slice(0, payloadStart) + canonicalText(payload)),
    };
    return { record, sealed };
  }
}
