import { describe, expect, it } from "vitest";
import { createClient } from "../src/index.js";
import { batched, overloaded, reply } from "./support/answers.js";
import type { decisions } from "./support/decisions.js";
import { serve } from "./support/service.js";

/** Nothing here is decided by time, however slow the machine is. */
const timeoutMs = Number.POSITIVE_INFINITY;

const inputs = [
  { amount: 9000, score: 700 },
  { amount: 9e9, score: 700 },
  { amount: Number.NaN, score: 700 },
  { amount: 9000, score: 1 },
];

describe("a batch", () => {
  it("returns an item for each input, in their order", async () => {
    const { url, seen } = await serve(batched);
    const items = await createClient<typeof decisions>({ url, timeoutMs })["loan-approval"].batch(inputs);
    expect(items.map(({ status }) => status)).toEqual(["OK", "NO_MATCH", "INVALID_INPUT", "OK"]);
    expect(seen.map((one) => [one.method, one.url, JSON.parse(one.text)])).toEqual([
      ["POST", "/decisions/loan-approval/batch", { inputs: JSON.parse(JSON.stringify(inputs)) }],
    ]);
  });

  it("has faults as items", async () => {
    const { url } = await serve(batched);
    const [good, bad] = await createClient<typeof decisions>({ url, timeoutMs })["loan-approval"].batch([
      { amount: 9000, score: 700 },
      { amount: 13, score: 700 },
    ]);
    expect(good).toMatchObject({ status: "OK" });
    if (bad?.status !== undefined) throw new Error("a fault has no status");
    expect(bad).toEqual({ error: "Evaluation failed", code: "EVALUATION_FAILED" });
  });

  it("takes version, profile, name of a profile and request id as a single call does", async () => {
    const { url, seen } = await serve(batched);
    const { batch } = createClient<typeof decisions>({ url, timeoutMs })["loan-approval"];
    const profile = { minScore: 1 };
    const options = { version: "1.0.0", profile, requestId: "order-17" };
    const [, , , last] = await batch(inputs, options);
    expect(last).toMatchObject({ data: { approved: true } });
    await batch([], { profileName: "strict" });
    expect(seen[0]).toMatchObject({
      url: "/decisions/loan-approval/versions/1.0.0/batch",
      headers: { "x-request-id": "order-17", "content-type": "application/json" },
    });
    expect(JSON.parse(seen[0]?.text ?? "")).toMatchObject({ profile });
    expect(JSON.parse(seen[1]?.text ?? "")).toEqual({ inputs: [], profileName: "strict" });
  });

  it("is sent again as a single call is", async () => {
    const { url, seen } = await serve(overloaded({ "retry-after": "0" }), batched);
    expect(
      await createClient<typeof decisions>({ url, timeoutMs })["loan-approval"].batch(inputs),
    ).toHaveLength(4);
    expect(seen).toHaveLength(2);
  });

  it.each([
    [413, { error: "Request body is too large", code: "BODY_TOO_LARGE" }, "BODY_TOO_LARGE"],
    [400, { error: "Too many inputs", code: "BATCH_TOO_LARGE" }, "BATCH_TOO_LARGE"],
    [200, { results: [] }, "UNEXPECTED_REPLY"],
    [200, { results: [null, null, null, null] }, "UNEXPECTED_REPLY"],
    [200, { results: [5, "OK", [], {}] }, "UNEXPECTED_REPLY"],
    [200, { results: Array(4).fill({ status: "OK" }) }, "UNEXPECTED_REPLY"],
    [200, { results: Array(4).fill({ error: "Evaluation failed" }) }, "UNEXPECTED_REPLY"],
    [
      200,
      { results: Array(4).fill({ status: "LATE", code: "LATE", error: "?", meta: {} }) },
      "UNEXPECTED_REPLY",
    ],
    [200, { status: "OK", meta: {} }, "UNEXPECTED_REPLY"],
    [200, "<h1>Sign in</h1>", "UNEXPECTED_REPLY"],
  ])("rejects for a %i with %j", async (status, body, code) => {
    const { url } = await serve(reply(status, body));
    const { batch } = createClient<typeof decisions>({ url, timeoutMs })["loan-approval"];
    await expect(batch(inputs)).rejects.toMatchObject({ code, status });
  });
});
