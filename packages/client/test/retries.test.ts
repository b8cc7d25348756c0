import { describe, expect, it } from "vitest";
import { createClient } from "../src/index.js";
import { cut, evaluated, overloaded, reply } from "./support/answers.js";
import type { decisions } from "./support/decisions.js";
import { serve } from "./support/service.js";

/** Nothing here is decided by time, however slow the machine is. */
const timeoutMs = Number.POSITIVE_INFINITY;

const good = { amount: 9000, score: 700 };
const atOnce = { "retry-after": "0" };

describe("a retry", () => {
  it.each([429, 502, 503, 504])("follows a %i", async (status) => {
    const { url, seen } = await serve(reply(status, "busy", atOnce), evaluated);
    const decern = createClient<typeof decisions>({ url, timeoutMs });
    expect(await decern["loan-approval"](good)).toMatchObject({ status: "OK" });
    expect(seen).toHaveLength(2);
  });

  it("follows a connection that failed", async () => {
    const { url, seen } = await serve(cut, evaluated);
    const decern = createClient<typeof decisions>({ url, timeoutMs });
    expect(await decern["loan-approval"](good)).toMatchObject({ status: "OK" });
    expect(seen).toHaveLength(2);
  });

  it.each([
    [400, { error: "Request body is not valid JSON", code: "INVALID_JSON" }],
    [401, { error: "Authentication required", code: "UNAUTHORIZED" }],
    [408, { error: "Request took too long to arrive", code: "REQUEST_TIMEOUT" }],
    [500, { error: "Evaluation failed", code: "EVALUATION_FAILED" }],
    [200, "<h1>Sign in</h1>"],
  ])("does not follow a %i, which would be the same again", async (status, body) => {
    const { url, seen } = await serve(reply(status, body, atOnce), evaluated);
    await expect(createClient<typeof decisions>({ url, timeoutMs })["loan-approval"](good)).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });

  it("does not follow an envelope", async () => {
    const { url, seen } = await serve(evaluated);
    await createClient({ url, timeoutMs })["loan-approval"]?.({});
    expect(seen).toHaveLength(1);
  });

  it("comes twice by default; the error is that of the last one", async () => {
    const { url, seen } = await serve(
      reply(503, { error: "?", code: "PROFILES_NOT_LOADED" }, atOnce),
      overloaded(atOnce),
      reply(503, { error: "?", code: "SERVER_CLOSING" }, atOnce),
      evaluated,
    );
    const decern = createClient<typeof decisions>({ url, timeoutMs });
    await expect(decern["loan-approval"](good)).rejects.toMatchObject({
      code: "SERVER_CLOSING",
      status: 503,
    });
    expect(seen).toHaveLength(3);
  });

  it("comes as often as the client, or else the call, says", async () => {
    const { url, seen } = await serve(overloaded(atOnce));
    const decern = createClient<typeof decisions>({ url, timeoutMs, retries: 4 });
    await expect(decern["loan-approval"](good)).rejects.toMatchObject({ code: "OVERLOADED" });
    expect(seen).toHaveLength(5);
    await expect(decern["loan-approval"](good, { retries: 0 })).rejects.toMatchObject({ code: "OVERLOADED" });
    expect(seen).toHaveLength(6);
  });

  it("sends the same body and request id, and asks for headers again", async () => {
    const { url, seen } = await serve(overloaded(atOnce), evaluated);
    const tokens = ["first", "second"];
    const decern = createClient<typeof decisions>({
      url,
      headers: () => ({ "x-api-key": tokens.shift() ?? "" }),
    });
    await decern["loan-approval"](good, { requestId: "order-17" });
    expect(seen.map((one) => one.headers["x-request-id"])).toEqual(["order-17", "order-17"]);
    expect(seen.map((one) => one.headers["x-api-key"])).toEqual(["first", "second"]);
    expect(seen[0]?.text).toBe(seen[1]?.text);
  });

  it("does not come when Retry-After asks for more time than the call has", async () => {
    const { url, seen } = await serve(overloaded({ "retry-after": "3600" }), evaluated);
    const decern = createClient<typeof decisions>({ url });
    await expect(decern["loan-approval"](good)).rejects.toMatchObject({
      code: "OVERLOADED",
      retryAfterMs: 3_600_000,
    });
    expect(seen).toHaveLength(1);
  });
});
