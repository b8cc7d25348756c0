import { LineCutter } from "../items/line-cutter.js";
import { markLength, PartCutter, RangeFile } from "./byte-ranges.js";
import type { InputFormat, InputScanner, InputSink, PartRange, ScannedInput } from "./input-format.js";

/** Holds one block and one line in memory. */
async function readLines(file: RangeFile, maxLine: number, range: PartRange, sink: InputSink): Promise<void> {
  const cutter = new LineCutter(maxLine);
  let line = range.firstLine;
  const give = (text: ReturnType<LineCutter["cut"]>): void => {
    if (typeof text === "string") sink.json(line, text);
    else sink.refuse(line, text);
    line += 1;
  };
  for await (const block of file.blocks(range)) {
    for (const text of cutter.lines(block)) give(text);
    await sink.flush();
  }
  // Only the last line of a file has no newline.
  const last = cutter.end();
  if (last !== undefined) give(last);
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
  open: async ({ path, maxLine }) => {
    const file = await RangeFile.open(path);
    return { read: (range, sink) => readLines(file, maxLine, range, sink), close: () => file.close() };
  },
};
