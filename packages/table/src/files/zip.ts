import { FileError } from "./cells.js";
import { inflated } from "./inflate.js";

/** How much a file may inflate to, in bytes: a table of half a million cells. */
const mostBytes = 64 * 1024 * 1024;

const mostEntries = 2000;

interface Entry {
  readonly method: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Of its local header. */
  readonly offset: number;
}

/** Reads files out of a zip archive. Together, they may inflate to 64 MiB. */
export class ZipReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #entries: ReadonlyMap<string, Entry>;
  #left = mostBytes;

  /** @throws FileError for what isn't a zip archive, and for one of an unreasonable size */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#entries = this.#readDirectory();
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * @returns `undefined` if there is no file of that name
   * @throws FileError for a damaged file, and for one that inflates to more than is left
   */
  read(name: string): Uint8Array | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const start = this.#startOf(entry);
    const data = this.#bytes.subarray(start, start + entry.compressedSize);
    if (entry.size > this.#left) throw tooLarge();
    if (entry.method === 0) {
      this.#left -= data.length;
      return data;
    }
    if (entry.method !== 8) throw new FileError("is compressed in a way that spreadsheets don't use");
    const whole = inflated(data, entry.size);
    this.#left -= whole.length;
    return whole;
  }

  /** The central directory, which stands at the end. */
  #readDirectory(): ReadonlyMap<string, Entry> {
    const view = this.#view;
    const end = this.#findEnd();
    const count = view.getUint16(end + 10, true);
    let at = view.getUint32(end + 16, true);
    if (count > mostEntries) throw new FileError(`has ${count} parts, more than a workbook needs`);
    const entries = new Map<string, Entry>();
    for (let index = 0; index < count; index += 1) {
      if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) throw new FileError("is damaged");
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) =>
        view.getUint16(at + place, true),
      );
      const nameEnd = at + 46 + (nameLength ?? 0);
      const isEncrypted = (view.getUint16(at + 8, true) & 1) === 1;
      if (isEncrypted) throw new FileError("is encrypted; save it without a password");
      const name = new TextDecoder().decode(this.#bytes.subarray(at + 46, nameEnd));
      entries.set(name.replaceAll("\\", "/"), {
        method: view.getUint16(at + 10, true),
        compressedSize: view.getUint32(at + 20, true),
        size: view.getUint32(at + 24, true),
        offset: view.getUint32(at + 42, true),
      });
      at = nameEnd + (extraLength ?? 0) + (commentLength ?? 0);
    }
    this.#refuseOverlaps([...entries.values()]);
    return entries;
  }

  /** Files that share their data make a large archive of a few bytes. */
  #refuseOverlaps(entries: readonly Entry[]): void {
    let last = 0;
    for (const entry of entries.toSorted((one, other) => one.offset - other.offset)) {
      if (entry.offset < last) throw new FileError("has parts that overlap, which spreadsheets don't write");
      last = this.#startOf(entry) + entry.compressedSize;
    }
  }

  #findEnd(): number {
    const { length } = this.#bytes;
    // Behind it stands a comment of 65,535 bytes at most.
    for (let at = length - 22; at >= Math.max(0, length - 65_557); at -= 1) {
      if (this.#view.getUint32(at, true) === 0x06054b50) return at;
    }
    throw new FileError("is not a complete workbook");
  }

  /** Where the data begins, behind its local header. */
  #startOf({ offset, compressedSize }: Entry): number {
    const view = this.#view;
    if (offset + 30 > view.byteLength || view.getUint32(offset, true) !== 0x04034b50)
      throw new FileError("is damaged");
    const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    if (start + compressedSize > view.byteLength) throw new FileError("is damaged");
    return start;
  }
}

function tooLarge(): FileError {
  return new FileError(`inflates to more than ${mostBytes / 1024 / 1024} MB, which no table needs`);
}
