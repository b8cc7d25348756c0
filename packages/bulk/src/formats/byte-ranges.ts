import { type FileHandle, open } from "node:fs/promises";
import type { PartRange } from "./input-format.js";

const blockBytes = 256 * 1024;

export class RangeFile {
  readonly #file: FileHandle;
  readonly #block = Buffer.allocUnsafeSlow(blockBytes);

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<RangeFile> {
    return new RangeFile(await open(path, "r"));
  }

  /** A block is valid until the next one. */
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

/** Length of the byte order mark at the start of a file. */
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

  /** Leaves out what comes before, unless the part already has an input. */
  skipTo(offset: number): void {
    if (this.#records === 0) this.#start = offset;
    else this.#cutAt(offset);
  }

  add(line: number, end: number): void {
    if (this.#records === 0) this.#firstLine = line;
    this.#records += 1;
    this.#cutAt(end);
  }

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
