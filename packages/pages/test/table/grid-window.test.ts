import fc from "fast-check";
import { expect, it } from "vitest";
import { drawnRows, placeAfter } from "../../src/table/grid-window.js";

it("draws every row that is seen, few others, and keeps the height of all", () => {
  fc.assert(
    fc.property(
      fc.nat(20_000),
      fc.integer({ min: 20, max: 300 }),
      fc.nat(2_000_000),
      fc.integer({ min: 50, max: 2000 }),
      (count, rowHeight, top, height) => {
        const { from, to, above, below } = drawnRows(count, rowHeight, top, height);
        expect(above + (to - from) * rowHeight + below).toBe(count * rowHeight);
        expect(above).toBe(from * rowHeight);
        expect(to - from).toBeLessThan(height / rowHeight + 20);
        for (const y of [top, top + height / 2, top + height - 1]) {
          const seen = Math.floor(y / rowHeight);
          if (seen < count && top < count * rowHeight) expect(seen >= from && seen < to).toBe(true);
        }
      },
    ),
  );
});

it("leads the keys from cell to cell, and never out of the grid", () => {
  const grid = { rows: 100, columns: 4, page: 10 };
  const from = { row: 5, column: 2 };
  const to = (key: string, ctrlKey = false, place = from) => placeAfter({ key, ctrlKey }, place, grid);
  expect(to("ArrowDown")).toEqual({ row: 6, column: 2 });
  expect(to("ArrowUp", false, { row: 0, column: 2 })).toEqual({ row: 0, column: 2 });
  expect(to("ArrowLeft")).toEqual({ row: 5, column: 1 });
  expect(to("ArrowRight", false, { row: 5, column: 3 })).toEqual({ row: 5, column: 3 });
  expect(to("PageDown")).toEqual({ row: 15, column: 2 });
  expect(to("PageUp")).toEqual({ row: 0, column: 2 });
  expect(to("Home")).toEqual({ row: 5, column: 0 });
  expect(to("End")).toEqual({ row: 5, column: 3 });
  expect(to("Home", true)).toEqual({ row: 0, column: 0 });
  expect(to("End", true)).toEqual({ row: 99, column: 3 });
  expect([to("Enter"), to("a"), to("toString")]).toEqual([undefined, undefined, undefined]);
});
