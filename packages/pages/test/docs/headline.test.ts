import { expect, it } from "vitest";
import { announce, headlineOf, verdictOf } from "../../src/model/reply.js";
import { Removed } from "../../src/model/trace.js";

const meta = {
  headline: {
    approved: { true: "Approved", false: "Declined" },
    rate: { 0: "", "*": "{} %" },
    limit: "up to {}",
  },
};

it("names a result as its author does", () => {
  expect(headlineOf(meta, { approved: true, rate: 4.9, limit: 20000 })).toBe(
    "Approved · 4.9 % · up to 20,000",
  );
  expect(headlineOf(meta, { approved: false, rate: 0 })).toBe("Declined");
});

it("names nothing that is not there, has no words, or was removed", () => {
  expect(headlineOf(meta, { approved: "maybe", rate: new Removed(), limit: null })).toBe("up to null");
  expect(headlineOf(meta, { other: 1 })).toBeUndefined();
  expect(headlineOf({ headline: "{}" }, { approved: true })).toBeUndefined();
  expect(headlineOf(undefined, { approved: true })).toBeUndefined();
  expect(headlineOf(meta, 7)).toBeUndefined();
  // What looks like a pattern of a replacement is text.
  expect(headlineOf({ headline: { note: "so: {}" } }, { note: "$&" })).toBe("so: $&");
});

it("says it before the rule", () => {
  const reply = {
    httpStatus: 200,
    requestId: "r",
    milliseconds: 1,
    body: {
      status: "OK",
      data: { approved: true },
      meta: { matchedRule: "prime", explanation: "Score 765" },
    },
    sent: { input: {}, profile: undefined },
  };
  expect(announce(reply, meta)).toBe("OK. Approved. prime decided: Score 765");
});

it("says nothing twice", () => {
  const none = { status: "NO_MATCH", message: "No rule matched", meta: {} };
  const reply = {
    httpStatus: 200,
    requestId: "r",
    milliseconds: 1,
    body: none,
    sent: { input: {}, profile: undefined },
  };
  expect(verdictOf(reply)).toMatchObject({ title: "No rule matched", reason: undefined });
});
