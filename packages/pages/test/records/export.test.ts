import { expect, it } from "vitest";
import { asCsv, asNdjson } from "../../src/records/as-text.js";
import { record } from "./record.js";

const { payload: _payload, ...rest } = record;
const one = { ...rest, hasPayload: true, output: { approved: true, note: 'a "b", c' } };

it("writes a line of JSON for each record", () => {
  expect(
    asNdjson([one, one])
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([one, one]);
});

it("writes CSV with a column for each output, and nothing that a spreadsheet would run", () => {
  const attack = { ...one, caller: "=cmd()", output: { rate: -4.5 } };
  const [head, first, second] = asCsv([one, attack]).split("\r\n");
  expect(head).toBe(
    "recordedAt,decision,version,status,matchedRule,errorCode,caller,requestId,recordId,durationSeconds,output.approved,output.note,output.rate",
  );
  expect(first).toBe(
    `2026-03-03T14:05:09.123Z,loan,1.0.0,OK,second,,,r-1,${record.recordId},0.001,true,"a ""b"", c",`,
  );
  expect(second).toContain(",'=cmd(),");
  expect(second?.endsWith(",-4.5")).toBe(true);
});
