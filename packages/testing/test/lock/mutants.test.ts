// @module-tag one-node
import { expect, it } from "vitest";
import { checkLock, updateLock } from "../../src/index.js";
import { decisionOf, type MutableDecision, mutableDecisions, sourceOf } from "./mutants.js";

/** Nothing in the rules says that a text with spaces or in capitals is worth trying. */
const allowed = ["strings: trim", "strings: lower case"];

/** The names of the mutants that a lock does not notice. */
function missed(id: string, mutable: MutableDecision, isInside: boolean, isRead: boolean): readonly string[] {
  const moduleOf = (changed?: number) => ({
    decisions: [decisionOf(id, sourceOf(mutable, isInside, changed))],
  });
  const sources = isRead ? [sourceOf(mutable, isInside)] : [];
  const { lock } = updateLock(moduleOf(), undefined, { sources });
  if (lock === undefined) throw new Error("nothing was locked");
  expect(checkLock(moduleOf(), lock).differences).toEqual([]);
  return mutable.mutants.flatMap(([name], index) =>
    checkLock(moduleOf(index), lock).differences.length > 0 ? [] : [`${id}: ${name}`],
  );
}

it("there are sixty mutants", () => {
  expect(Object.values(mutableDecisions).flatMap(({ mutants }) => mutants)).toHaveLength(60);
});

const all = Object.entries(mutableDecisions);

it.each(all)("a lock notices changed literals in rules: %s", { timeout: 300_000 }, (id, mutable) => {
  expect(missed(id, mutable, true, false).filter((name) => !allowed.includes(name))).toEqual([]);
});

it.each(all)("a lock notices changed constants beside rules: %s", { timeout: 300_000 }, (id, mutable) => {
  expect(missed(id, mutable, false, true).filter((name) => !allowed.includes(name))).toEqual([]);
});

it.each([["decimals"], ["arrays"]] as const)(
  "a lock notices changed thresholds that it reads nowhere: %s",
  { timeout: 300_000 },
  (id) => {
    const { [id]: mutable } = mutableDecisions;
    // Texts are found where they are written only.
    const texts = ["arrays: some", "arrays: a text in a list"];
    expect(missed(id, mutable, false, false).filter((name) => !texts.includes(name))).toEqual([]);
  },
);
