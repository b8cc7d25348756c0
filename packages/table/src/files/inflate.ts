import { Inflate } from "fflate";
import { FileError } from "./cells.js";

/**
 * Inflates a part of an archive.
 *
 * @param size - of the part, as the archive says, in bytes
 * @throws FileError for damaged data, and as soon as it has become larger
 */
export function inflated(data: Uint8Array, size: number): Uint8Array {
  try {
    return natively(data, size) ?? inPieces(data, size);
  } catch (error) {
    throw error instanceof FileError ? error : new FileError("is damaged", { cause: error });
  }
}

/** @returns `undefined` in a browser, which has no zlib */
function natively(data: Uint8Array, size: number): Uint8Array | undefined {
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  if (zlib === undefined) return undefined;
  try {
    const whole = zlib.inflateRawSync(data, { maxOutputLength: Math.max(size, 1), chunkSize: 65_536 });
    if (whole.length > size) throw tooLarge();
    return whole;
  } catch (error) {
    const isTooLarge =
      error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? tooLarge() : error;
  }
}

/** Compressed data inflates to so many times its size at most. */
const mostInflation = 1032;

/** Of compressed data, a piece to inflate has so many bytes at most, and at least: less would take long. */
const pieceBytes = { most: 65_536, least: 64 };

function inPieces(data: Uint8Array, size: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isDone = false;
  const inflate = new Inflate((piece, isLast) => {
    length += piece.length;
    isDone ||= isLast;
    if (length > size) throw tooLarge();
    pieces.push(piece);
  });
  for (let at = 0; at < data.length && !isDone; ) {
    // So small that it can hardly inflate to more than is left.
    const fits = Math.floor((size - length) / mostInflation);
    const end = at + Math.max(pieceBytes.least, Math.min(pieceBytes.most, fits));
    inflate.push(data.subarray(at, end), end >= data.length);
    at = end;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function tooLarge(): FileError {
  return new FileError("has a part that is larger than it says");
}
