import { openTable, type TableDocument } from "@decern/table/browser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Draft,
  documentOf,
  draftOf,
  placeOf,
  redone,
  stepTo,
  undone,
  withBlankRows,
  withCells,
  withCopies,
  withDefault,
  withMoved,
  withoutRows,
} from "../../src/draft/draft.js";
import { schemaOf } from "../../src/json/schema-port.js";

const object = (properties: object) =>
  schemaOf({ type: "object", properties }, { type: "object", properties });

const contract = {
  id: "fee",
  inputSchema: object({
    zone: { enum: ["home", "abroad"] },
    kg: { type: "number" },
    code: { type: "string" },
  }),
  outputSchema: object({ fee: { type: "number" }, why: { type: ["string", "null"] } }),
  profileSchema: schemaOf({}, {}),
};

const served: TableDocument = {
  table: "fee",
  version: "1",
  hitPolicy: "F",
  inputs: [{ path: "zone" }, { path: "kg" }, { path: "code" }],
  outputs: [{ path: "fee" }, { path: "why" }],
  rules: [
    { id: "a", if: ["home", 2, '"null"'], then: [4.5, "post"], note: "Small" },
    { id: "b", if: ["-", "[1..2)", null], then: ["1 + 0.5", null], from: "2026-01-01", until: "2027-01-01" },
    { id: "c", if: ["not(abroad)", "-", "x, y"], then: [3, '"null"'] },
  ],
  default: [0, ""],
};

const ids = ({ rows }: Draft) => rows.map(({ values: [id] }) => id);

describe("a draft", () => {
  it("is, unedited, the table that it was made of", () => {
    const table = openTable(contract, { hash: "", mediaType: "", document: served });
    const again = openTable(contract, { hash: "", mediaType: "", document: documentOf(draftOf(served)) });
    if ("problems" in table || "problems" in again) throw new Error("has problems");
    expect(again.content).toEqual(table.content);
  });

  it("takes cells, adds the rows that they need, and leaves out what has no column", () => {
    const draft = withCells(draftOf(served), { row: 2, column: 6, cells: [["n", "f", "u", "?"], ["m"]] });
    expect(documentOf(draft).rules.slice(2)).toEqual([
      { id: "c", if: ["not(abroad)", "-", "x, y"], then: ["3", '"null"'], note: "n", from: "f", until: "u" },
      { id: "new-row", if: ["", "", ""], then: ["", ""], note: "m" },
    ]);
    expect(draft.otherwise).toBe(draftOf(served).otherwise === undefined ? undefined : draft.otherwise);
    expect(documentOf(draft).default).toEqual(["0", ""]);
  });

  it("writes the outputs of its default, and no conditions", () => {
    const draft = withCells(draftOf(served), { row: 3, column: 2, cells: [["1", "2", "3", "4", "5"]] });
    expect(draft.rows).toHaveLength(3);
    expect(draft.otherwise?.values).toEqual(["default", "", "", "", "3", "4", "", "", ""]);
    const without = withoutRows(draft, { row: 3, count: 1 });
    expect(documentOf(without)).not.toHaveProperty("default");
    expect(documentOf(withDefault(without)).default).toEqual(["", ""]);
  });

  it("gives rows that are inserted or copied ids of their own", () => {
    const twice = withCopies(withCopies(draftOf(served), { row: 0, count: 2 }), { row: 0, count: 1 });
    expect(ids(twice)).toEqual(["a", "a-3", "b", "a-2", "b-2", "c"]);
    expect(ids(withBlankRows(withBlankRows(twice, { row: 1, count: 2 }), { row: 9, count: 1 }))).toEqual([
      "a",
      "new-row",
      "new-row-2",
      "a-3",
      "b",
      "a-2",
      "b-2",
      "c",
      "new-row-3",
    ]);
    expect(new Set(twice.rows.map(({ key }) => key)).size).toBe(6);
  });

  it("moves rows together, and not beyond its ends", () => {
    const draft = draftOf(served);
    expect(ids(withMoved(draft, { row: 0, count: 2 }, 1))).toEqual(["c", "a", "b"]);
    expect(ids(withMoved(draft, { row: 2, count: 1 }, -1))).toEqual(["a", "c", "b"]);
    expect(withMoved(draft, { row: 1, count: 2 }, 1)).toBe(draft);
    expect(withMoved(draft, { row: 0, count: 3 }, -1)).toBe(draft);
  });

  it("finds the cell of each problem", () => {
    const draft = draftOf(served);
    expect(
      [
        "/rules/1/if/2",
        "/rules/1/then/0",
        "/rules/2/until",
        "/rules/0/id",
        "/rules/0",
        "/default/1",
        "/outputs",
      ].map((path) => placeOf(path, draft)),
    ).toEqual([
      { row: 1, column: 3 },
      { row: 1, column: 4 },
      { row: 2, column: 8 },
      { row: 0, column: 0 },
      { row: 0, column: 0 },
      { row: 3, column: 5 },
      undefined,
    ]);
  });
});

it("goes back over any changes to where it was, and forward again", () => {
  const row = fc.nat(5);
  const count = fc.integer({ min: 1, max: 3 });
  const change = fc.oneof(
    fc
      .record({ row, column: fc.nat(9), cells: fc.array(fc.array(fc.string()), { minLength: 1 }) })
      .map((block) => (draft: Draft) => withCells(draft, block)),
    fc.tuple(fc.constantFrom(withBlankRows, withCopies, withoutRows), fc.record({ row, count })).map(
      ([edit, span]) =>
        (draft: Draft) =>
          edit(draft, span),
    ),
    fc.record({ row, count }).map((span) => (draft: Draft) => withMoved(draft, span, 1)),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const first = { past: [], now: draftOf(served), future: [] };
      const last = changes.reduce((steps, edit) => stepTo(steps, edit(steps.now)), stepTo(first, first.now));
      expect(new Set(last.now.rows.map(({ key }) => key)).size).toBe(last.now.rows.length);
      const back = last.past.reduce(undone, last);
      expect(back.now).toBe(first.now);
      expect(back.future.reduce(redone, back).now).toBe(last.now);
    }),
  );
});
