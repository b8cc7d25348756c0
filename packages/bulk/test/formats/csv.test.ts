import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { csvFormat } from "../../src/formats/csv.js";
import { type ReadOptions, readParts, temporaryFolder } from "./read-file.js";

function read(text: string | Buffer, options?: ReadOptions) {
  const path = join(temporaryFolder(), "in.csv");
  writeFileSync(path, text);
  return readParts(csvFormat, path, options);
}

const linesOf = async (text: string | Buffer, options?: ReadOptions) => (await read(text, options)).lines;

describe("a CSV file of another dialect", () => {
  it.each([
    ["a,b\r1,2\r3,4\r", "ends its lines with CR alone; save it with LF or CRLF"],
    ["a\r1\r3\n", "ends its lines with CR alone; save it with LF or CRLF"],
    ["a;b\n1;2\n", "has semicolons between its columns"],
    ['"a";"b"\r\n1;2\r\n', "has semicolons between its columns"],
    ["a\tb\n1\t2\n", "has tabs between its columns"],
    [`a,b\r${"1,2\r".repeat(300_000)}`, "ends its lines with CR alone"],
  ])("is refused with a hint: %j", async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
      problems: [{ path: "/input", message: expect.stringContaining(message) }],
    });
  });

  it.each([
    ['"a;b"\n1\n', { "a;b": "1" }],
    ["a,b;c\n1,2\n", { a: "1", "b;c": "2" }],
    ['"a\rb"\n1\n', { "a\rb": "1" }],
    ["a\r\n1\r\n", { a: "1" }],
  ])("is not meant by what stands between quotes or commas: %j", async (text, input) => {
    expect(await linesOf(text)).toEqual([{ line: 2, input }]);
  });
});

describe("records of a CSV file", () => {
  it("have the number of the line that they begin on", async () => {
    expect(await linesOf('name,note\nAda,"two\nlines"\n\n\r\nBob,"a ""word"", quoted"\r\nCy,')).toEqual([
      { line: 2, input: { name: "Ada", note: "two\nlines" } },
      { line: 6, input: { name: "Bob", note: 'a "word", quoted' } },
      { line: 7, input: { name: "Cy" } },
    ]);
  });

  it("keep a quote inside a cell, and spaces", async () => {
    expect(await linesOf('a,b\n5" pipe, "x" \n')).toEqual([{ line: 2, input: { a: '5" pipe', b: ' "x" ' } }]);
  });

  it("that cannot be read are errors with their line, and disturb no other", async () => {
    const text = Buffer.concat([
      Buffer.from('a,b\n1\n1,2,3\n"x"y,2\n1,'),
      Buffer.from([0xff]),
      Buffer.from('\n1,2\n"open,2\n3,4\n'),
    ]);
    expect(await linesOf(text)).toEqual([
      { line: 2, error: "The row cannot be read: it has 1 cell and the header has 2" },
      { line: 3, error: "The row cannot be read: it has 3 cells and the header has 2" },
      { line: 4, error: "The row cannot be read: text follows the closing quote of a cell" },
      { line: 5, error: "The row cannot be read: it is not UTF-8 text" },
      { line: 6, input: { a: "1", b: "2" } },
      { line: 7, error: "The row cannot be read: a quote opens in it and is never closed" },
    ]);
  });

  it("are refused when they are too long, wherever they begin, and cells may be large", async () => {
    const large = "é".repeat(400_000);
    const lines = await linesOf(`a,b\n1,"${large}"\n2,"${large}${large}"\n3,x\n`, { blockBytes: 1000 });
    expect(lines).toEqual([
      { line: 2, input: { a: "1", b: large } },
      { line: 3, error: "Request body is too large" },
      { line: 4, input: { a: "3", b: "x" } },
    ]);
  });

  it("are cut into parts only where one ends, however the file comes in", async () => {
    const rows = Array.from({ length: 50 }, (_, index) => `${index},"first\nsecond ""x"", ${index}"\r\n`);
    const text = `\u{feff}a,b\r\n${rows.join("")}`;
    const whole = await read(text);
    for (const [partBytes, blockBytes] of [
      [1, 5],
      [7, 1],
      [40, 3],
      [100, 1000],
    ] as const) {
      const { parts, lines } = await read(text, {
        partBytes: partBytes,
        blockBytes: Math.max(blockBytes, 4),
      });
      expect(lines).toEqual(whole.lines);
      expect(parts.length).toBeGreaterThan(10);
    }
    expect(whole.lines[1]).toEqual({ line: 4, input: { a: "1", b: 'first\nsecond "x", 1' } });
  });

  it.each([
    ["an empty file", "", /is empty; the first row of a CSV file names its columns/],
    ["a header that is not closed", '"a,b\n1,2\n', /a quote opens in it and is never closed/],
    ["a column without a name", "a,,c\n1,2,3\n", /column 2 has no name/],
    ["two columns of one name", "a,b,a\n1,2,3\n", /column "a" occurs twice/],
    ["a value that is an object as well", "a,a.b\n1,2\n", /column "a.b" occurs twice, or is both/],
    ["UTF-16", Buffer.from("a,b\n1,2\n", "utf16le"), /is not UTF-8 text/],
  ])("are refused as a whole for %s", async (_what, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it("of a file with only a header are none", async () => {
    expect(await read("a,b\n")).toEqual({ parts: [], lines: [] });
  });
});

describe("cells of a CSV file", () => {
  const schema = z.object({
    n: z.number(),
    whole: z.int().optional(),
    yes: z.boolean().optional(),
    text: z.string().optional(),
    either: z.union([z.string(), z.number()]).optional(),
    size: z.enum(["small", "large"]).optional(),
    level: z.union([z.literal(1), z.literal("auto")]).optional(),
    tags: z.array(z.string()).optional(),
    more: z.record(z.string(), z.unknown()).optional(),
    born: z.int().nullable(),
    died: z.int().nullable().optional(),
  });
  const cell = async (name: string, text: string) => {
    const [line] = await linesOf(`${name}\n${text}\n`, { schema });
    const input: object = Object(line?.input);
    return Object.entries(input)[0]?.[1];
  };

  it.each([
    ["n", "5", 5],
    ["n", "-0.25e1", -2.5],
    ["n", "five", "five"],
    ["n", "007", "007"],
    ["n", " 5", " 5"],
    ["n", "1e999", "1e999"],
    ["n", "NaN", "NaN"],
    ["whole", "9007199254740993", "9007199254740993"],
    ["n", "9007199254740993.0", "9007199254740993.0"],
    ["n", "9007199254740992.00", 9007199254740992],
    ["whole", "9007199254740992", 9007199254740992],
    ["yes", "true", true],
    ["yes", "FALSE", false],
    ["yes", "1", "1"],
    ["text", "5", "5"],
    ["text", '""', ""],
    ["n", '""', undefined],
    ["either", "5", "5"],
    ["size", "large", "large"],
    ["level", "1", 1],
    ["level", "auto", "auto"],
    ["tags", '"[""a"", ""b""]"', ["a", "b"]],
    ["tags", "[a", "[a"],
    ["tags", '"{""a"": 1}"', '{"a": 1}'],
    ["more", '"{""a"": 1}"', { a: 1 }],
    ["born", "null", null],
    ["born", '""', null],
    ["died", "1990", 1990],
    ["unknown", "5", "5"],
  ])("%s: %j is %j", async (name, text, value) => {
    expect(await cell(name, text)).toEqual(value);
  });

  it("that are empty are absent, or null where the schema insists on a value", async () => {
    expect(await linesOf("n,text,born,died\n,,,\n", { schema })).toEqual([
      { line: 2, input: { born: null } },
    ]);
  });

  it("nest by the dots in their column's name, and an object without members is absent", async () => {
    const nested = z.object({
      applicant: z.object({ age: z.int(), address: z.object({ zip: z.string() }).optional() }),
      "file.name": z.string().optional(),
      person: z.object({ name: z.string().optional() }),
    });
    const text = "applicant.age,file.name,applicant.address.zip,person.name\n30,x,00123,\n,,,Ada\n";
    expect(await linesOf(text, { schema: nested })).toEqual([
      { line: 2, input: { applicant: { age: 30, address: { zip: "00123" } }, "file.name": "x", person: {} } },
      { line: 3, input: { applicant: {}, person: { name: "Ada" } } },
    ]);
  });
});
