import { open } from "node:fs/promises";
import type { DecisionRecord } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { hasCode, readRecord as recordOf } from "@decern/core/tools";

export interface RecordFile {
  /** For messages. */
  readonly name: string;
  readonly path: string;
}

interface LineBlock {
  /** Each line with its newline. Overwritten when the next block is read. */
  readonly bytes: Buffer;
  /** Where in the file the block begins. */
  readonly offset: number;
  /** Whether the file ends without a newline: the line is incomplete, or being written. */
  readonly isTorn: boolean;
}

export const newline = 0x0a;

/**
 * Reads a file block by block. A file that does not exist any more has no blocks.
 *
 * @param options.start - where to begin, in bytes. @default 0
 * @param options.end - where to stop, in bytes. @default the end of the file
 * @param options.blockBytes - most that is read at a time, but for longer lines. @default 2 MiB
 */
export async function* lineBlocks(
  path: string,
  options: { readonly start?: number; readonly end?: number | undefined; readonly blockBytes?: number } = {},
): AsyncGenerator<LineBlock> {
  const { start = 0, end = Number.POSITIVE_INFINITY, blockBytes = 2 * 1024 * 1024 } = options;
  const handle = await open(path, "r").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    const { size } = await handle.stat();
    let buffer = Buffer.allocUnsafe(Math.min(blockBytes, size + 1));
    let filled = 0;
    let offset = start;
    for (;;) {
      const room = Math.min(buffer.length - filled, end - offset - filled);
      const { bytesRead } =
        room > 0 ? await handle.read(buffer, filled, room, offset + filled) : { bytesRead: 0 };
      if (bytesRead === 0) break;
      const unread = filled;
      filled += bytesRead;
      const last = buffer.subarray(unread, filled).lastIndexOf(newline);
      if (last === -1) {
        if (filled === buffer.length) buffer = grown(buffer);
        continue;
      }
      const length = unread + last + 1;
      yield { bytes: buffer.subarray(0, length), offset, isTorn: false };
      buffer.copyWithin(0, length, filled);
      offset += length;
      filled -= length;
    }
    if (filled > 0) yield { bytes: buffer.subarray(0, filled), offset, isTorn: true };
  } finally {
    await handle.close();
  }
}

export function* linesIn(block: Buffer): Generator<Buffer, void, undefined> {
  for (let start = 0; start < block.length; ) {
    const newlineAt = block.indexOf(newline, start);
    const end = newlineAt === -1 ? block.length : newlineAt;
    yield block.subarray(start, end);
    start = end + 1;
  }
}

function grown(buffer: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}

/** Views of memory, those that are adjacent as one: one write per batch in place of hundreds. */
export class JoinedViews {
  readonly #ended: Uint8Array[] = [];
  #first: Uint8Array | undefined;
  #length = 0;

  add(view: Uint8Array): void {
    const first = this.#first;
    if (first?.buffer === view.buffer && first.byteOffset + this.#length === view.byteOffset) {
      this.#length += view.length;
      return;
    }
    this.#end();
    this.#first = view;
    this.#length = view.length;
  }

  take(): readonly Uint8Array[] {
    this.#end();
    return this.#ended.splice(0);
  }

  #end(): void {
    const first = this.#first;
    if (first !== undefined) this.#ended.push(new Uint8Array(first.buffer, first.byteOffset, this.#length));
    this.#first = undefined;
  }
}

/** Nothing before the payload has a member of that name. */
const beforePayload = Buffer.from(',"payload":');
/** Nothing after the payload has members, so the last match is the record's. */
const afterPayload = Buffer.from(',"payloadHash":"sha256:');
const beforeTime = Buffer.from('"recordedAt":');
const timeLength = 24;
const [space, quote] = Buffer.from(' "');

/** `hash` of the record in a line; `undefined` for other lines. */
export function recordHash(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value) || !isJsonObject(value["decision"])) return undefined;
    const { recordId, recordedAt, hash } = value;
    return typeof recordId === "string" && typeof recordedAt === "string" && typeof hash === "string"
      ? hash
      : undefined;
  } catch {
    return undefined;
  }
}

/** The record in a line, or why there is none; `undefined` for a profile, a content or an empty line. */
export function readRecord(text: string): DecisionRecord | string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text.trim() === "" ? undefined : "it is not JSON";
  }
  const record = recordOf(value);
  return typeof record === "string" && isKept(value) ? undefined : record;
}

/** Whether a line keeps what records name by its hash. */
function isKept(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    value["recordVersion"] === 1 &&
    ["profile", "content"].some((kind) => typeof value[`${kind}Hash`] === "string" && kind in value) &&
    !("recordId" in value)
  );
}

/** Where a record's payload is in a line; `undefined` for no payload. */
export function payloadRange(line: Buffer): { readonly start: number; readonly end: number } | undefined {
  const before = line.indexOf(beforePayload);
  const end = line.lastIndexOf(afterPayload);
  const start = before + beforePayload.length;
  return before === -1 || end < start ? undefined : { start, end };
}

/** The time of a record as text; `undefined` for other lines. */
export function timeOf(line: Buffer): string | undefined {
  const at = line.lastIndexOf(beforeTime);
  if (at === -1) return undefined;
  const after = at + beforeTime.length;
  const opening = line[after] === space ? after + 1 : after;
  return line[opening] === quote ? line.toString("latin1", opening + 1, opening + 1 + timeLength) : undefined;
}
