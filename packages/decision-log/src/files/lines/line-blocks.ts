import { open } from "node:fs/promises";
import { isMissing } from "./file-errors.js";

/** Whole lines of a file, one after the other. */
export interface LineBlock {
  /** Each line with its newline. Overwritten once the next block is asked for. */
  readonly bytes: Buffer;
  /** Where in the file the block begins. */
  readonly offset: number;
  /** Whether this is the end of the file, and its newline is missing: the line is being written, or never was to the end. */
  readonly isTorn: boolean;
}

export const newline = 0x0a;

/**
 * Reads a file block by block. A file that does not exist any more has no blocks.
 *
 * @param options.end - where to stop, in bytes. @default the end of the file
 * @param options.blockBytes - most that is read at once, but for longer lines. @default 2 MiB
 */
export async function* lineBlocks(
  path: string,
  options: { readonly end?: number | undefined; readonly blockBytes?: number } = {},
): AsyncGenerator<LineBlock> {
  const { end = Number.POSITIVE_INFINITY, blockBytes = 2 * 1024 * 1024 } = options;
  const handle = await open(path, "r").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    const { size } = await handle.stat();
    let buffer = Buffer.allocUnsafe(Math.min(blockBytes, size + 1));
    let filled = 0;
    let offset = 0;
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

function grown(buffer: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}
