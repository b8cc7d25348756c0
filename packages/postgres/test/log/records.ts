import { createHash } from "node:crypto";
import type { Logger, RecordStatus } from "@decern/core";
import { canonicalJson } from "@decern/core/tools";
import type { SealedRecord } from "@decern/decision-log";

/** What a test says about a record. */
export interface Facts {
  readonly recordedAt?: string;
  /** When its id was made. */
  readonly madeAt?: string;
  readonly requestId?: string;
  readonly caller?: string;
  readonly decision?: string;
  readonly version?: string;
  readonly status?: RecordStatus;
  readonly rule?: string;
  readonly subject?: string;
  readonly payload?: object | null;
}

interface TestRecord extends SealedRecord {
  readonly recordId: string;
}

let made = 0;

/** A chain of records, as a decision log seals them. */
export function seal(facts: readonly Facts[], head: string | null = null): readonly TestRecord[] {
  let previousHash = head;
  return facts.map((fact) => {
    const record = sealOne(fact, previousHash);
    previousHash = record.hash;
    return record;
  });
}

function sealOne(facts: Facts, previousHash: string | null): TestRecord {
  made++;
  const recordedAt = new Date(facts.recordedAt ?? Date.now());
  const payload = facts.payload === undefined ? { salt: "AAAA", input: { number: made } } : facts.payload;
  const record = {
    recordVersion: 1,
    recordId: uuid(new Date(facts.madeAt ?? Date.now()).getTime(), made),
    recordedAt: recordedAt.toISOString(),
    requestId: facts.requestId ?? `request-${made}`,
    ...(facts.caller === undefined ? {} : { caller: facts.caller }),
    decision: { id: facts.decision ?? "loan", version: facts.version ?? "1.0.0" },
    decisionRevision: "fees-1",
    profileHash: sha256("profile"),
    selectedBy: "default",
    status: facts.status ?? "OK",
    ...(facts.rule === undefined ? {} : { matchedRule: facts.rule }),
    durationSeconds: 0.001,
    sampleRate: 1,
    ...(facts.subject === undefined ? {} : { subject: facts.subject }),
    masked: [],
    payloadHash: sha256(canonical(payload)),
    previousHash,
  };
  const hash = sha256(canonical(record));
  const line = canonical({ ...record, payload, hash });
  const payloadStart = line.indexOf('"payload":') + '"payload":'.length;
  return {
    recordId: record.recordId,
    recordedAtMs: recordedAt.getTime(),
    hash,
    bytes: Buffer.from(`${line}\n`),
    payloadStart: Buffer.byteLength(line.slice(0, payloadStart)),
    payloadEnd: Buffer.byteLength(line.slice(0, line.indexOf(',"payloadHash"', payloadStart))),
  };
}

function canonical(value: unknown): string {
  const text = canonicalJson(value);
  if (text === undefined) throw new Error("JSON cannot carry it");
  return text;
}

/** The line of a record, without its line break. */
export function lineOf(record: SealedRecord | undefined): string {
  return Buffer.from(record?.bytes ?? [])
    .toString()
    .trimEnd();
}

/** A UUID of version 7 with this time and this number in it. */
export function uuid(ms: number, number: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

export function sha256(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** A logger that keeps what it was told. */
export function recordingLogger(): Required<Logger> & { readonly lines: string[] } {
  const lines: string[] = [];
  const tell =
    (level: string) =>
    (details: Readonly<Record<string, unknown>>, message: string): void => {
      lines.push(`${level} ${message} ${JSON.stringify(details)}`);
    };
  return { lines, error: tell("error"), warn: tell("warn"), info: tell("info") };
}

/** Every item of a stream. */
export async function all<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
