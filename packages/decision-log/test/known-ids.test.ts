import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { RecordIds } from "../src/record/ids-and-salts.js";
import { KnownIds } from "../src/verify/known-ids.js";

it("tells new ids from those that came before, of every kind and while its table grows", () => {
  const ids = new RecordIds();
  const known = new KnownIds();
  const all = [
    ...Array.from({ length: 100_000 }, () => ids.next()),
    ...Array.from({ length: 100_000 }, () => randomUUID()),
    ...Array.from({ length: 100_000 }, (_, index) => `${index}`),
    "",
  ];
  expect(all.filter((id) => !known.add(id))).toEqual([]);
  expect(all.filter((id) => known.add(id))).toEqual([]);
  expect(known.unremembered).toBe(0);
});

it("holds no more than its table does, still knows what is in it, and counts the rest", () => {
  const known = new KnownIds(65_536);
  const all = Array.from({ length: 50_000 }, (_, index) => `id ${index}`);
  for (const id of all) expect(known.add(id)).toBe(true);
  expect(known.unremembered).toBe(50_000 - 65_536 * 0.75);
  expect(all.filter((id) => !known.add(id))).toEqual(all.slice(0, 65_536 * 0.75));
});
