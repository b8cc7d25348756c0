import { expect, it } from "vitest";
import { verdictOf } from "../../src/model/reply.js";
import { Removed, removedText } from "../../src/model/trace.js";
import { recordedCall, recordLadder, replyOf } from "../../src/records/recorded-call.js";
import { record } from "./record.js";

const ruleIds = ["first", "second", "third"];

it("marks in place what was removed, in objects, lists and explanations", () => {
  const masked = [
    "/input/person/name",
    "/result/data/list/1",
    "/result/meta/evaluatedRules/1/explanation",
    "/nowhere/at/all",
  ];
  const call = recordedCall({ ...record, masked });
  expect(call?.input).toEqual({ amount: 5, person: { name: new Removed() } });
  expect(call?.envelope?.["data"]).toEqual({ limit: 7, list: [1, new Removed()] });
  expect(recordLadder(record, call, ruleIds)[1]).toEqual({
    id: "second",
    state: "hit",
    explanation: `(${removedText})`,
  });
});

it("shows an input that was removed altogether", () => {
  expect(recordedCall({ ...record, masked: ["/input"] })?.input).toEqual(new Removed());
});

it("has no call without a payload, but still the ladder that follows from the rule", () => {
  const erased = { ...record, payload: null };
  expect(recordedCall(erased)).toBeUndefined();
  const states = (changes: object, ids: readonly string[] | null = ruleIds) =>
    recordLadder({ ...record, ...changes }, undefined, ids).map(({ state }) => state);
  expect(states({})).toEqual(["miss", "hit", "unreached"]);
  expect(states({ status: "NO_MATCH", matchedRule: undefined })).toEqual(["miss", "miss", "miss"]);
  expect(states({ status: "INVALID_INPUT", matchedRule: undefined })).toEqual([
    "unreached",
    "unreached",
    "unreached",
  ]);
  expect(states({ status: "ERROR", matchedRule: undefined })).toEqual(["pending", "pending", "pending"]);
  expect(states({}, null)).toEqual(["hit"]);
});

it("shows the rows of a table that decided, which says nothing about those before them", () => {
  const ofTable = { ...record, contentHash: "sha256:00" };
  const call = recordedCall({ ...ofTable, masked: [] });
  const evaluated = recordLadder(record, call, null);
  expect(recordLadder(ofTable, call, ["another", ...ruleIds])).toEqual(evaluated);
  expect(recordLadder(ofTable, undefined, ruleIds).map(({ id, state }) => [id, state])).toEqual([
    ["second", "hit"],
  ]);
});

it("reads as the reply that the caller got, and without a payload still names the rule", () => {
  expect(verdictOf(replyOf(record, recordedCall(record)))).toMatchObject({ rule: "second", reason: "five" });
  expect(verdictOf(replyOf({ ...record, payload: null }, undefined)).rule).toBe("second");
  const masked = { ...record, masked: ["/result/meta/explanation"] };
  expect(verdictOf(replyOf(masked, recordedCall(masked))).reason).toBe(`(${removedText})`);
});
