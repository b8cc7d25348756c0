import fc from "fast-check";
import { expect, it } from "vitest";
import { pastCallOf, readKeptCall, readPastCalls, withCall } from "../../src/history/past-calls.js";

const past = (input: unknown, ended = "r") => ({ call: { input }, ended, at: "2026-03-03T09:30:00.000Z" });

it("has the newest call first, each call once, and an end", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1 }), (inputs) => {
      const history = inputs.reduce((before, input) => withCall(before, past({ input })), readPastCalls([]));
      const newest = [...new Set(inputs.toReversed())];
      expect(history.map(({ call }) => call.input)).toEqual(
        newest.slice(0, history.length).map((input) => ({ input })),
      );
      expect(history.length).toBe(Math.min(newest.length, 12));
    }),
  );
});

it("is read as it was kept, and nothing else is", () => {
  const history = [past({ a: [1, null] }), { ...past(null), call: { input: null, profileName: "strict" } }];
  expect(readPastCalls(JSON.parse(JSON.stringify(history)))).toEqual(history);
  fc.assert(
    fc.property(fc.jsonValue(), (kept) => {
      for (const { call, ended, at } of readPastCalls(kept)) {
        expect({ endedType: typeof ended, atType: typeof at }).toEqual({
          endedType: "string",
          atType: "string",
        });
        expect(call).toHaveProperty("input");
      }
      const call = readKeptCall(kept);
      if (call !== undefined) expect(call.profileName ?? "").toBeTypeOf("string");
    }),
  );
});

it("says of a reply which rule matched, else what came of it", () => {
  const reply = {
    httpStatus: 200,
    requestId: undefined,
    milliseconds: 1,
    sent: { input: 1, profile: undefined },
  };
  const meta = { matchedRule: "fine", evaluatedAt: "2026-01-01T00:00:00.000Z" };
  const at = "2026-03-03T09:30:00.000Z";
  expect(pastCallOf({ ...reply, body: { status: "OK", meta } }, at)).toEqual({
    call: { input: 1 },
    ended: "fine",
    at: "2026-01-01T00:00:00.000Z",
  });
  expect(pastCallOf({ ...reply, body: { status: "NO_MATCH" } }, at)).toMatchObject({ ended: "NO MATCH", at });
});
