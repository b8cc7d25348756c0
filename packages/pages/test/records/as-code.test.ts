import type { DecisionRecord } from "@decern/core";
import { expect, it } from "vitest";
import { asExample, asTest, canBeTested } from "../../src/records/as-text.js";
import { record } from "./record.js";

const detail = (changes: Partial<DecisionRecord> = {}) => ({
  record: { ...record, ...changes },
  profile: { limit: 10 },
  decision: null,
});

it("writes an example with the caller's profile, and without the host's", () => {
  expect(JSON.parse(asExample(detail()))).not.toHaveProperty("profile");
  const payload = { salt: "", input: 1, profile: { limit: 3 }, result: {} };
  expect(JSON.parse(asExample(detail({ payload })))).toMatchObject({ input: 1, profile: { limit: 3 } });
});

it("keeps hostile texts within strings and comments", () => {
  const text = asTest(
    detail({
      requestId: '"); steal(); ("',
      masked: ["/input/x\nsteal()\u2028steal()"],
      payload: { salt: "", input: JSON.parse(`{"__proto__": "steal()"}`), result: {} },
    }),
  );
  // What is left once the strings and comments are gone is the code that runs.
  const code = text.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, "").replaceAll(/\/\/[^\n\u2028\u2029]*/g, "");
  expect(code).not.toContain("steal");
  expect(text).toContain('["__proto__"]: ');
});

it("imports a decision under a name that can be imported", () => {
  const imported = (id: string) =>
    asTest(detail({ decision: { id, version: "1.0.0" } })).match(/\{ (\S+) as decision \}/)?.[1];
  expect(imported("loan-approval")).toBe("loanApproval");
  expect(imported("3-d.secure_v2")).toBe("_3DSecureV2");
});

it("expects the fault of an evaluation, but offers no test for what a hook refused", () => {
  const failed = (code: string) =>
    detail({ status: "ERROR", payload: { salt: "", input: 1, error: { code, message: "" } } });
  expect(asTest(failed("EVALUATION_FAILED"))).toContain(
    'toThrow(\n    expect.objectContaining({ code: "EVALUATION_FAILED" })',
  );
  expect(canBeTested(failed("EVALUATION_FAILED").record)).toBe(true);
  expect(canBeTested(failed("FORBIDDEN").record)).toBe(false);
  expect(canBeTested(detail({ payload: null }).record)).toBe(false);
});
