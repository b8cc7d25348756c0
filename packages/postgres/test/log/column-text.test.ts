import { describe, expect, it } from "vitest";
import { columnText } from "../../src/log/columns.js";
import { storedText, writtenAround } from "../../src/log/find.js";
import { monthOf, monthOfTable } from "../../src/log/months.js";
import { lineOf, seal } from "./records.js";

const texts = [
  "",
  "plain",
  "DOMAIN\\user",
  "é“😀",
  "tab\t",
  "a\0b",
  "a\nb",
  "\\N",
  "\ud800",
  "\udc00",
  "x".repeat(601),
];

describe("a text as columns hold it", () => {
  it("is itself where PostgreSQL can hold and index it", () => {
    for (const text of [...texts.slice(0, 5), "“".repeat(600)]) expect(columnText(text)).toBe(text);
  });

  it("can be held and indexed otherwise, and differs from every other one", () => {
    const hashed = texts.map(columnText);
    const again = hashed.map(columnText);
    // A caller who is named like a hash is not the one who was hashed.
    const all = new Set([...hashed, ...again]);
    expect(all.size).toBe(texts.length + texts.length - 5);
    for (const text of all) {
      expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
      expect(Buffer.byteLength(text)).toBeLessThan(2000);
      expect(text).not.toMatch(/\n/);
      expect(text).not.toContain("\0");
      expect(text).not.toBe("\\N");
    }
  });
});

describe("months", () => {
  it("begin and end in UTC, across years", () => {
    const month = monthOf(new Date("2026-11-30T23:59:59.999Z"), 1);
    expect(month).toEqual({
      table: "decern_records_2026_12",
      start: new Date("2026-12-01T00:00:00.000Z"),
      end: new Date("2027-01-01T00:00:00.000Z"),
    });
    expect(monthOfTable(month.table)).toEqual(month);
  });

  it.each([
    "decern_records",
    "decern_records_2026_13",
    "decern_records_2026_01_old",
    "my_decern_records_2026_01",
  ])("are not what %s holds", (table) => expect(monthOfTable(table)).toBeUndefined());
});

it("reads the time of a UUID of version 7, as RFC 9562 has it in its example", () => {
  const ms = Date.parse("2022-02-22T19:22:22.000Z");
  const written = writtenAround("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  expect(written).toEqual({ fromMs: ms - 86_400_000, toMs: ms + 86_400_000 });
  expect(writtenAround("c232ab00-9414-41ec-b3c8-9f6bdeced846")).toBeUndefined();
  expect(writtenAround("ffffffff-ffff-7fff-bfff-ffffffffffff")).toBeUndefined();
});

it("puts a payload back where it was, whatever the texts around it", () => {
  const trap = '"payload":null,"payloadHash":';
  const [record] = seal([{ caller: trap, requestId: trap, payload: { salt: trap, input: "$&$1" } }]);
  if (record === undefined) throw new Error("no record");
  const line = lineOf(record);
  const { payloadStart, payloadEnd } = record;
  const emptied = `${line.slice(0, payloadStart)}null${line.slice(payloadEnd)}`;
  expect(storedText(emptied, line.slice(payloadStart, payloadEnd))).toBe(line);
  expect(storedText(emptied, null)).toBe(emptied);
});
