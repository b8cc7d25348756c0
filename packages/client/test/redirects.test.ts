import { describe, expect, it } from "vitest";
import { createClient } from "../src/index.js";
import { evaluated, reply } from "./support/answers.js";
import type { decisions } from "./support/decisions.js";
import { serve } from "./support/service.js";

/** Nothing here is decided by time, however slow the machine is. */
const timeoutMs = Number.POSITIVE_INFINITY;

const good = { amount: 9000, score: 700 };
const headers = { "x-api-key": "SECRET" };

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])(
    "with %i gets no header and no input, and is not tried again",
    async (code) => {
      const other = await serve(evaluated);
      const { url, seen } = await serve(
        reply(code, "", { location: `${other.url}/decisions/loan-approval` }),
      );
      const call = createClient<typeof decisions>({ url, headers, timeoutMs, retries: 5 })["loan-approval"];
      for (const sent of [() => call(good), () => call.batch([good]), () => call.stream([good]).next()]) {
        await expect(sent()).rejects.toMatchObject({
          code: "UNEXPECTED_REPLY",
          status: code,
          message: expect.stringContaining("redirect"),
        });
      }
      expect(other.seen).toEqual([]);
      expect(seen).toHaveLength(3);
    },
  );

  it("with the envelope in its body is none", async () => {
    const { url } = await serve(reply(307, { status: "OK", data: { approved: true }, meta: {} }));
    const call = createClient<typeof decisions>({ url, timeoutMs })["loan-approval"];
    await expect(call(good)).rejects.toMatchObject({ code: "UNEXPECTED_REPLY", status: 307 });
  });

  it("that a browser hides is the same error, without a status", async () => {
    // What a browser gives for one: https://fetch.spec.whatwg.org/#concept-filtered-response-opaque-redirect
    const hidden = Object.defineProperties(Response.error(), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
    });
    const sent: RequestInit[] = [];
    const fetch = async (_: string, init: RequestInit) => {
      sent.push(init);
      return hidden;
    };
    const call = createClient<typeof decisions>({ url: "/api", fetch, timeoutMs })["loan-approval"];
    await expect(call(good)).rejects.toMatchObject({
      code: "UNEXPECTED_REPLY",
      status: undefined,
      message: expect.stringContaining("redirect"),
    });
    expect(sent).toMatchObject([{ redirect: "manual" }]);
  });

  it("that the host's own fetch has followed gives no decision", async () => {
    const other = await serve(evaluated);
    const { url } = await serve(reply(307, "", { location: other.url }));
    const follow = (to: string, init: RequestInit) => fetch(to, { ...init, redirect: "follow" });
    const call = createClient<typeof decisions>({ url, fetch: follow, timeoutMs })["loan-approval"];
    await expect(call(good)).rejects.toMatchObject({ code: "UNEXPECTED_REPLY", status: 200 });
    expect(other.seen).toHaveLength(1);
  });
});

describe("what fetch would resolve", () => {
  it.each(["", ".", ".."])("is no version: %j", async (version) => {
    const { url, seen } = await serve(evaluated);
    const call = createClient<typeof decisions>({ url, timeoutMs })["loan-approval"];
    for (const sent of [
      () => call(good, { version }),
      () => call.batch([good], { version }),
      () => call.stream([good], { version }).next(),
    ])
      await expect(sent()).rejects.toMatchObject({ code: "VERSION_NOT_FOUND", status: undefined });
    expect(seen).toEqual([]);
  });

  it.each(["", ".", ".."])("is no id: %j", async (id) => {
    const { url, seen } = await serve(evaluated);
    const call = createClient({ url, timeoutMs })[id];
    await expect(call?.(good, { requestId: "order-17" })).rejects.toMatchObject({
      code: "DECISION_NOT_FOUND",
      requestId: "order-17",
    });
    expect(seen).toEqual([]);
  });

  it("leaves other dots alone", async () => {
    const { url, seen } = await serve(evaluated);
    await createClient<typeof decisions>({ url, timeoutMs })["loan-approval"](good, { version: "1..2" });
    expect(seen).toMatchObject([{ url: "/decisions/loan-approval/versions/1..2" }]);
  });
});
