import { constants, deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inflated } from "../../src/files/inflate.js";
import { errorsIn } from "../support/fees.js";
import { workbook } from "../support/workbook.js";

const megabyte = 1 << 20;

/** How much more memory the process ever had, in bytes. */
function memoryOf(run: () => void): number {
  const before = process.resourceUsage().maxRSS;
  run();
  return (process.resourceUsage().maxRSS - before) * 1024;
}

interface Part {
  readonly name: string;
  /** Of the local header. */
  readonly offset: number;
  readonly compressedSize: number;
  /** As the archive says. */
  readonly size: number;
}

function header(length: number, signature: number): { readonly bytes: Uint8Array; readonly view: DataView } {
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  return { bytes, view };
}

function localHeader(name: string): Uint8Array {
  const { bytes, view } = header(30 + name.length, 0x04034b50);
  view.setUint16(8, 8, true);
  view.setUint16(26, name.length, true);
  bytes.set(new TextEncoder().encode(name), 30);
  return bytes;
}

function directoryOf(parts: readonly Part[], start: number): Uint8Array {
  const entries = parts.map(({ name, offset, compressedSize, size }) => {
    const { bytes, view } = header(46 + name.length, 0x02014b50);
    view.setUint16(10, 8, true);
    view.setUint32(20, compressedSize, true);
    view.setUint32(24, size, true);
    view.setUint16(28, name.length, true);
    view.setUint32(42, offset, true);
    bytes.set(new TextEncoder().encode(name), 46);
    return bytes;
  });
  const { bytes, view } = header(22, 0x06054b50);
  view.setUint16(8, parts.length, true);
  view.setUint16(10, parts.length, true);
  view.setUint32(12, joined(entries).length, true);
  view.setUint32(16, start, true);
  return joined([...entries, bytes]);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(pieces));
}

/** A workbook with so many sheets that are 10 MB of blanks each. */
const count = 100;
const names = Array.from({ length: count }, (_name, index) => `xl/worksheets/sheet${index}.xml`);
const kernel = deflateRawSync(Buffer.alloc(10 * megabyte, " "), { level: 9 });

/** The small parts, which say that there are the sheets. */
const small = (() => {
  const bytes = workbook({ sheets: names.map(() => ({ rows: [] })) });
  const view = new DataView(bytes.buffer);
  const start = view.getUint32(bytes.length - 6, true);
  const parts: Part[] = [];
  for (let at = start; view.getUint32(at, true) === 0x02014b50; ) {
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
    const size = view.getUint32(at + 24, true);
    const found = {
      name,
      offset: view.getUint32(at + 42, true),
      compressedSize: view.getUint32(at + 20, true),
      size,
    };
    if (!names.includes(name)) parts.push(found);
    at += 46 + length;
  }
  return { data: bytes.subarray(0, start), parts };
})();

/** All sheets are the same bytes. */
function sharedBomb(): Uint8Array {
  const data = joined([small.data, localHeader("x"), kernel]);
  const sheets = names.map((name) => ({
    name,
    offset: small.data.length,
    compressedSize: kernel.length,
    size: 10 * megabyte,
  }));
  return joined([data, directoryOf([...small.parts, ...sheets], data.length)]);
}

/**
 * David Fifield's way: each sheet's data begins with a block that has the header of the next sheet as it is, so that readers which
 * compare the local headers with the directory find nothing wrong.
 */
function quotedBomb(): Uint8Array {
  let data: Uint8Array = kernel;
  const sheets: (Omit<Part, "offset"> & { readonly length: number })[] = [];
  let size = 10 * megabyte;
  for (const name of names.toReversed()) {
    const local = localHeader(name);
    sheets.unshift({ name, compressedSize: data.length, size, length: local.length + data.length });
    const block = Uint8Array.of(0, local.length, 0, 255 - local.length, 255);
    size += local.length;
    data = joined([...(name === names[0] ? [] : [block]), local, data]);
  }
  const all = joined([small.data, data]);
  const parts = sheets.map(({ length, ...part }) => ({ ...part, offset: all.length - length }));
  return joined([all, directoryOf([...small.parts, ...parts], all.length)]);
}

describe.each(["in Node", "in a browser"])("a file that inflates to a lot %s", (where) => {
  beforeEach(() => {
    if (where === "in a browser") vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  });
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ["shares the data of its parts", sharedBomb()],
    ["quotes the headers of its parts", quotedBomb()],
  ])("is refused at once where it %s", (_what, bomb) => {
    expect(bomb.length).toBeLessThan(50_000);
    const used = memoryOf(() => {
      expect(errorsIn("bomb.xlsx", bomb)).toEqual([expect.stringContaining("parts that overlap")]);
    });
    expect(used).toBeLessThan(32 * megabyte);
  });

  const gigabyte = 1024 * megabyte;

  /** Blocks that end without ending the stream, again and again, and an empty last one. */
  const sixteen = deflateRawSync(Buffer.alloc(16 * megabyte), {
    level: 9,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  const deflated = joined([...Array.from({ length: 64 }, () => sixteen), Uint8Array.of(3, 0)]);

  it.each([
    { said: gigabyte, message: "inflates to more than 64 MB", most: 32 },
    { said: 1000, message: "larger than it says", most: 32 },
    { said: 60 * megabyte, message: "larger than it says", most: 60 + 150 },
  ])(
    "is refused where one part is a thousand times as small, and says $said bytes",
    ({ said, message, most }) => {
      expect(deflated.length).toBeLessThan(gigabyte / 1000);
      const name = "xl/workbook.xml";
      const data = joined([localHeader(name), deflated]);
      const part = { name, offset: 0, compressedSize: deflated.length, size: said };
      const bomb = joined([data, directoryOf([part], data.length)]);
      const used = memoryOf(() => {
        expect(errorsIn("bomb.xlsx", bomb)).toEqual([expect.stringContaining(message)]);
      });
      expect(used).toBeLessThan(most * megabyte);
    },
  );
});

describe("a file that inflates to a lot", () => {
  it("is refused for all parts together", () => {
    const padding = { rows: [["rule"]], after: `<extLst>${" ".repeat(25_000_000)}</extLst>` };
    expect(errorsIn("two.xlsx", workbook({ sheets: [padding, padding] }))[0]).not.toContain("inflates");
    const three = workbook({ sheets: [padding, padding, padding] });
    expect(errorsIn("three.xlsx", three)).toEqual([expect.stringContaining("inflates to more than 64 MB")]);
  });
});

it.each(["in Node", "in a browser"])("inflates what another program deflated, %s", (where) => {
  if (where === "in a browser") vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  const text = Uint8Array.from({ length: 300_000 }, (_byte, at) => (at * at) % 251);
  expect(Buffer.compare(inflated(deflateRawSync(text), text.length), text)).toBe(0);
  expect(() => inflated(deflateRawSync(text).subarray(0, 1000), text.length)).toThrow("is damaged");
  vi.restoreAllMocks();
});
