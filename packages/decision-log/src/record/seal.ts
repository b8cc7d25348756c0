import { isJsonObject } from "@decern/core/schema";
import { canonicalForm } from "@decern/core/tools";
import { type ByteWriter, sha256 } from "../text/hashing.js";
import type { Draft } from "./drafter.js";
import { RandomPool, type SaltBytes } from "./ids-and-salts.js";
import { PayloadText } from "./payload-text.js";
import type { SealedRecord } from "./record-store.js";

const saltBytes = 16;
const noPayload = new PayloadText("", "");
const pool = new RandomPool();

const hashName = `"hash":"`;
/** As long as every hash. */
const noHash = `sha256:${"0".repeat(64)}`;
const hashPlace = `${hashName}${noHash}",`;
const payloadName = `"payload":`;
const payloadOpening = `${payloadName}{`;

/** Where a record's line is among those of its batch. The last three are places in the line. */
type LinePlaces = Pick<
  SealedLine,
  "recordedAtMs" | "start" | "end" | "hashStart" | "payloadStart" | "payloadEnd"
>;

export class SealedLine implements SealedRecord {
  readonly recordedAtMs: number;
  readonly start: number;
  readonly end: number;
  readonly hashStart: number;
  readonly payloadStart: number;
  readonly payloadEnd: number;
  readonly #lines: Buffer;

  constructor(lines: Buffer, places: LinePlaces) {
    this.recordedAtMs = places.recordedAtMs;
    this.start = places.start;
    this.end = places.end;
    this.hashStart = places.hashStart;
    this.payloadStart = places.payloadStart;
    this.payloadEnd = places.payloadEnd;
    this.#lines = lines;
  }

  get bytes(): Buffer {
    return this.#lines.subarray(this.start, this.end);
  }

  get hash(): string {
    const hashAt = this.start + this.hashStart;
    return this.#lines.toString("latin1", hashAt, hashAt + noHash.length);
  }
}

const numbersOfLine = 6;

/**
 * Where the lines of a batch are, as one list of numbers. Until they are on disk, the garbage collector would copy an object for
 * each of them, with those that it refers to.
 */
export class LineList {
  #numbers: number[] = [];

  get length(): number {
    return this.#numbers.length / numbersOfLine;
  }

  add({ recordedAtMs, start, end, hashStart, payloadStart, payloadEnd }: LinePlaces): void {
    this.#numbers.push(recordedAtMs, start, end, hashStart, payloadStart, payloadEnd);
  }

  removeFirst(count: number): void {
    this.#numbers = this.#numbers.slice(count * numbersOfLine);
  }

  /** @param lines - the bytes of the batch */
  in(lines: Buffer): readonly SealedLine[] {
    return Array.from({ length: this.length }, (_, index) => this.#line(lines, index * numbersOfLine));
  }

  #line(lines: Buffer, at: number): SealedLine {
    const number = (index: number): number => this.#numbers[at + index] ?? 0;
    return new SealedLine(lines, {
      recordedAtMs: number(0),
      start: number(1),
      end: number(2),
      hashStart: number(3),
      payloadStart: number(4),
      payloadEnd: number(5),
    });
  }
}

/**
 * Writes a record's line, chained to the one before it. The payload is hashed in place; the other parts stand behind the line
 * while the record is hashed. Texts are joined before they are written, since a call into Node costs more than a few hundred
 * characters.
 */
export function sealRecord(
  draft: Draft,
  previousHash: string | null,
  lines: ByteWriter,
  salts: SaltBytes = pool,
): { readonly places: LinePlaces; readonly hash: string } {
  const { payload, beforeHash, beforePayload, afterPrevious } = draft;
  const { before, after } = payload ?? noPayload;
  const saltAt = salts.take(saltBytes);
  const start = lines.length;
  const unsalted = after === "" ? "}" : `${before === "" ? "" : ","}${after}}`;
  const opening = `${beforeHash}${hashPlace}${beforePayload}${payloadOpening}${before}${unsalted}`;
  const isPlain = lines.text(opening) === opening.length;
  const hashAt = start + bytesOf(beforeHash, isPlain) + hashName.length;
  const beforeEnd = lines.length - bytesOf(unsalted, isPlain);
  const payloadAt = beforeEnd - bytesOf(before, isPlain) - 1;
  const payloadHash = lines.sha256Behind(salts.bytes, saltAt, saltBytes, payloadAt);

  lines.length = payload === undefined ? payloadAt : beforeEnd;
  const rest = payload === undefined ? "null" : endOf(payload, salts.bytes, saltAt);
  const previous = previousHash === null ? "null" : `"${previousHash}"`;
  const facts = `"payloadHash":"${payloadHash}","previousHash":${previous},${afterPrevious}`;
  const closingAt = lines.length;
  const closing = `${rest},${facts}\n${beforeHash}${beforePayload}`;
  const isClosingPlain = lines.text(closing) === closing.length;
  const payloadEnd = closingAt + bytesOf(rest, isClosingPlain);
  const factsEnd = payloadEnd + 1 + bytesOf(facts, isClosingPlain);
  const end = factsEnd + 1;
  lines.repeat(payloadEnd + 1, factsEnd);
  const hash = lines.sha256(end);
  lines.length = end;
  lines.overwrite(hash, hashAt);
  const places = {
    recordedAtMs: draft.recordedAtMs,
    start,
    end,
    hashStart: hashAt - start,
    payloadStart: payloadAt - start,
    payloadEnd: payloadEnd - start,
  };
  return { places, hash };
}

/** @param isPlain - whether all of it is ASCII */
function bytesOf(text: string, isPlain: boolean): number {
  return isPlain ? text.length : Buffer.byteLength(text);
}

/** What follows the members before the salt. */
function endOf({ before, after }: PayloadText, salts: Buffer, saltAt: number): string {
  const salt = salts.toString("base64url", saltAt, saltAt + saltBytes);
  return `${before === "" ? "" : ","}"salt":"${salt}"${after === "" ? "" : `,${after}`}}`;
}

/**
 * Chains a record that is sealed already to another before it. Its payload stays as it is. This happens only after a store
 * has failed and begun another chain.
 */
export function rechainRecord(
  sealed: SealedLine,
  previousHash: string | null,
  lines: ByteWriter,
): { readonly places: LinePlaces; readonly hash: string } {
  const { bytes } = sealed;
  const record: unknown = JSON.parse(bytes.toString());
  if (!isJsonObject(record)) throw new TypeError("a sealed line is not a record");
  const { payload: _kept, hash: _former, ...facts } = record;
  const chained = { ...facts, previousHash };
  const hash = sha256(canonicalForm(chained) ?? "");
  const text = canonicalForm({ ...chained, hash, payload: null }) ?? "";
  // Quotation marks within texts are escaped, so these places are unique.
  const payloadAt = text.indexOf(nullPayload) + nullPayload.length - "null".length;
  const hashStart = Buffer.byteLength(text.slice(0, text.indexOf(hashName))) + hashName.length;
  const start = lines.length;
  const payloadStart = lines.text(text.slice(0, payloadAt));
  lines.text(bytes.toString("utf8", sealed.payloadStart, sealed.payloadEnd));
  const payloadEnd = lines.length - start;
  lines.text(`${text.slice(payloadAt + "null".length)}\n`);
  const { recordedAtMs } = sealed;
  return { places: { recordedAtMs, start, end: lines.length, hashStart, payloadStart, payloadEnd }, hash };
}

const nullPayload = `${payloadName}null`;
