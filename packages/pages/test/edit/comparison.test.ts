import { expect, it } from "vitest";
import { comparisonText } from "../../src/edit/comparison.js";

const none = {
  same: 0,
  changed: 0,
  others: 0,
  uncompared: new Map(),
  changes: [],
  isSample: false,
  isWhole: true,
  isDamaged: false,
  days: 7,
};

it.each([
  [{ same: 3 }, "Nothing changes: all 3 results of the last 7 days stay the same."],
  [{ same: 1 }, "Nothing changes: the 1 result of the last 7 days stays the same."],
  [{}, "There are no records of the last 7 days."],
  [{ isWhole: false }, "No record was compared."],
  [{ isDamaged: true }, "No record was compared. Part of the log could not be read."],
  [
    { same: 3, changed: 2, others: 1 },
    "2 of 5 results would change. 1 came from a different version of the table.",
  ],
  // Nothing of the kind is said where some were not compared.
  [
    { same: 3, uncompared: new Map([["masked", 2] as const]) },
    "None of the 3 results that were compared would change. 2 could not be compared: 2 with a masked value that the table reads.",
  ],
  [
    { same: 3, isWhole: false },
    "None of the 3 results that were compared would change. Older records were not read.",
  ],
  [
    { same: 3, isDamaged: true },
    "None of the 3 results that were compared would change. Part of the log could not be read.",
  ],
  [
    { same: 3, isSample: true },
    "Nothing changes: all 3 results of the last 7 days stay the same. The service records only a share of its calls.",
  ],
])("says of %o what it means", (found, text) => {
  expect(comparisonText({ ...none, ...found })).toBe(text);
});
