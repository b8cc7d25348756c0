import { expect, it } from "vitest";
import type { RuleState, Rung } from "../../src/model/reply.js";
import { foldedRungs } from "../../src/model/reply.js";

const rungs = (states: readonly RuleState[]): Rung[] =>
  states.map((state, index) => ({ id: `rule-${index}`, state, explanation: undefined }));
const many = (state: RuleState, count: number): RuleState[] => Array.from({ length: count }, () => state);

it("folds long runs of rules that did not match or were not reached, and never what matched", () => {
  const states = [...many("miss", 12), "hit" as const, ...many("unreached", 6)];
  expect(foldedRungs(rungs(states)).map(({ state, rungs, folded }) => [state, rungs.length, folded])).toEqual(
    [
      ["miss", 12, true],
      ["hit", 1, false],
      ["unreached", 6, false],
    ],
  );
  expect(foldedRungs(rungs(many("unreached", 7)))[0]?.folded).toBe(true);
});

it("shows twenty rules while nothing has run, and the first six of more", () => {
  const shape = (count: number) =>
    foldedRungs(rungs(many("pending", count))).map(({ rungs, folded }) => [rungs.length, folded]);
  expect(shape(20)).toEqual([[20, false]]);
  expect(shape(21)).toEqual([
    [6, false],
    [15, true],
  ]);
});
