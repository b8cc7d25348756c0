import { LineCutter } from "../items/line-cutter.js";
import { markLength, PartCutter, RangeFile } from "./byte-ranges.js";
import type {
  InputFormat,
  InputScanner,
  InputSink,
  PartRange,
  PartReader,
  ScannedInput,
} from "./input-format.js";

/** Holds one block and one line in memory. */
class NdjsonReader implements PartReader {
  readonly #file: RangeFile;
  readonly #maxLine: number;

  constructor(file: RangeFile, maxLine: number) {
    this.#file = file;
    this.#maxLine = maxLine;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async read(range: PartRange, sink: InputSink): Promise<void> {
    const cutter = new LineCutter(this.#maxLine);
    let line = range.firstLine;
    for await (const block of this.#file.blocks(range)) {
      for (const text of cutter.lines(block)) give(line++, text, sink);
      await sink.flush();
    }
    // Only the last line of a file has no newline.
    const last = cutter.end();
    if (last !== undefined) give(line, last, sink);
  }
}

function give(line: number, text: ReturnType<LineCutter["cut"]>, sink: InputSink): void {
  if (typeof text === "string") sink.json(line, text);
  else sink.refuse(line, text);
}

const newline = 0x0a;

class NdjsonScanner implements InputScanner {
  readonly #cutter: PartCutter;
  #offset = 0;
  #line = 1;
  #lineStart = 0;

  constructor(partBytes: number) {
    this.#cutter = new PartCutter(partBytes);
  }

  push(block: Buffer): void {
    if (this.#offset === 0) {
      this.#lineStart = markLength(block);
      this.#cutter.skipTo(this.#lineStart);
    }
    for (let at = block.indexOf(newline); at !== -1; at = block.indexOf(newline, at + 1)) {
      this.#lineStart = this.#offset + at + 1;
      this.#cutter.add(this.#line, this.#lineStart);
      this.#line += 1;
    }
    this.#offset += block.length;
  }

  end(): ScannedInput {
    if (this.#lineStart < this.#offset) this.#cutter.add(this.#line, this.#offset);
    this.#cutter.end(this.#offset);
    return { parts: this.#cutter.parts };
  }
}

/** JSON in lines. An empty line counts as an input, which is not JSON. */
export const ndjsonFormat: InputFormat = {
  name: "ndjson",
  lanes: 2,
  scanner: ({ partBytes }) => new NdjsonScanner(partBytes),
  open: async ({ path, maxLine }) => new NdjsonReader(await RangeFile.open(path), maxLine),
};
