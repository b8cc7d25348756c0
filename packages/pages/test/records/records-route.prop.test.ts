import fc from "fast-check";
import { expect, it } from "vitest";
import {
  everything,
  fromRecordsFragment,
  kindsOf,
  type Search,
  toRecordFragment,
  toSearchFragment,
} from "../../src/records/search.js";

const text = fc.string({ unit: "grapheme" }).map((value) => value.trim());
const time = fc.constantFrom("", "2026-03-03", "2024-02-29", "2026-03-03T14:05");

it("reads back every search and every record id", () => {
  const search = fc.record<Search>({
    text: text.filter((value) => value !== ""),
    kind: fc.constantFrom("any", "record", "request", "person"),
    from: time,
    to: time,
    decision: text,
    version: text,
    status: text,
    rule: text,
    caller: text,
  });
  fc.assert(
    fc.property(search, (one) => {
      expect(fromRecordsFragment(toSearchFragment(one))).toEqual({ search: one });
    }),
  );
  const id = text.filter((value) => value !== "" && !value.startsWith("?"));
  fc.assert(
    fc.property(id, (record) => {
      expect(fromRecordsFragment(toRecordFragment(record))).toEqual({ record });
    }),
  );
});

it("takes any fragment, and leaves out what is not a time", () => {
  fc.assert(fc.property(fc.string(), (fragment) => void fromRecordsFragment(`#${fragment}`)));
  expect(fromRecordsFragment("#/?from=yesterday&to=2026-03-03T9&as=nothing")).toEqual({ search: everything });
});

it("knows record ids by their version, and tries every kind that a text may be", () => {
  const kinds = (value: string) => kindsOf({ text: value, kind: "any" });
  expect(kinds("019cb404-5683-7100-8abc-000000000001")).toEqual(["record", "request", "person"]);
  expect(kinds("6f2d8c1e-5683-4100-8abc-000000000001")).toEqual(["request", "person"]);
  expect(kinds("p-17")).toEqual(["request", "person"]);
  expect(kindsOf({ text: "p-17", kind: "person" })).toEqual(["person"]);
  expect(kinds("")).toEqual([]);
});
