import { type FileHandle, open } from "node:fs/promises";
import type { PartRange } from "./input-format.js";

const blockBytes = 256 * 1024;

/** Reads byte ranges of a file in blocks. */
export class RangeFile {
  readonly #file: FileHandle;
  readonly #block = Buffer.allocUnsafeSlow(blockBytes);

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<RangeFile> {
    return new RangeFile(await open(path, "r"));
  }

  /** Yields the bytes of a range. A block is valid until the next one. */
  async *blocks({ start, end }: PartRange): AsyncGenerator<Buffer, void, undefined> {
    for (let position = start; position < end; ) {
      const wanted = Math.min(blockBytes, end - position);
      const { bytesRead } = await this.#file.read(this.#block, 0, wanted, position);
      if (bytesRead === 0) throw new Error("The input has become shorter");
      position += bytesRead;
      yield this.#block.subarray(0, bytesRead);
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** How many bytes the byte order mark takes with which a file begins. */
export function markLength(firstBlock: Buffer): number {
  return firstBlock.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
}

/** Cuts a file into parts, behind the first input that ends where a part has its size. */
export class PartCutter {
  readonly parts: PartRange[] = [];
  readonly #partBytes: number;
  #start = 0;
  #firstLine = 0;
  #records = 0;

  constructor(partBytes: number) {
    this.#partBytes = partBytes;
  }

  /** Leaves out everything up to here, unless the part has an input already. */
  skipTo(offset: number): void {
    if (this.#records === 0) this.#start = offset;
    else this.#cutAt(offset);
  }

  /** Counts an input. @param end - offset in the file */
  add(line: number, end: number): void {
    if (this.#records === 0) this.#firstLine = line;
    this.#records += 1;
    this.#cutAt(end);
  }

  /** Ends the last part. */
  end(offset: number): void {
    if (this.#records === 0) return;
    this.parts.push({ start: this.#start, end: offset, firstLine: this.#firstLine, records: this.#records });
    this.#start = offset;
    this.#records = 0;
  }

  #cutAt(offset: number): void {
    if (offset - this.#start >= this.#partBytes) this.end(offset);
  }
}
