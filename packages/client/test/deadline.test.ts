import { describe, expect, it } from "vitest";
import { createClient } from "../src/index.js";
import { evaluated, overloaded, silent } from "./support/answers.js";
import type { decisions } from "./support/decisions.js";
import { serve } from "./support/service.js";

const good = { amount: 9000, score: 700 };

describe("a time-out", () => {
  it("ends a call without a reply", async () => {
    const { url } = await serve(silent);
    const decern = createClient<typeof decisions>({ url, timeoutMs: 50 });
    await expect(decern["loan-approval"](good, { requestId: "order-17" })).rejects.toMatchObject({
      code: "TIMEOUT",
      message: "No reply within 50 ms",
      requestId: "order-17",
    });
  });

  it("ends a call whose reply never ends", async () => {
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
    const decern = createClient<typeof decisions>({ url: "/", fetch: async () => new Response(endless) });
    await expect(decern["loan-approval"](good, { timeoutMs: 50 })).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("ends a call whose headers never come", async () => {
    const { url, seen } = await serve(evaluated);
    const decern = createClient<typeof decisions>({
      url,
      headers: () => new Promise(() => {}),
      timeoutMs: 10,
    });
    await expect(decern["loan-approval"](good)).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(seen).toEqual([]);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 40])("may be %d", async (timeoutMs) => {
    const { url } = await serve(evaluated);
    const decern = createClient<typeof decisions>({ url, timeoutMs });
    expect(await decern["loan-approval"](good)).toMatchObject({ status: "OK" });
  });
});

describe("a signal", () => {
  it("ends a call that waits for a reply, and closes its connection", async () => {
    const controller = new AbortController();
    let closed = false;
    const { url } = await serve((_, response) => {
      response.on("close", () => {
        closed = true;
      });
      controller.abort("left the page");
    });
    const decern = createClient<typeof decisions>({ url });
    await expect(decern["loan-approval"](good, { signal: controller.signal })).rejects.toMatchObject({
      code: "ABORTED",
      cause: "left the page",
    });
    await expect.poll(() => closed).toBe(true);
  });

  it("ends a call that waits for its next attempt", async () => {
    const controller = new AbortController();
    const { url, seen } = await serve((request, response) => {
      overloaded({ "retry-after": "600" })(request, response);
      response.on("close", () => setTimeout(() => controller.abort(), 20));
    });
    const decern = createClient<typeof decisions>({ url, timeoutMs: 3_600_000 });
    await expect(decern["loan-approval"](good, { signal: controller.signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
    expect(seen).toHaveLength(1);
  });

  it("that was aborted before sends nothing", async () => {
    const { url, seen } = await serve(silent);
    const decern = createClient<typeof decisions>({ url });
    const signal = AbortSignal.abort();
    await expect(decern["loan-approval"](good, { signal })).rejects.toMatchObject({ code: "ABORTED" });
    expect(seen).toEqual([]);
  });

  it("has no listener left after a call", async () => {
    const { url } = await serve(evaluated);
    const { signal } = new AbortController();
    let listeners = 0;
    signal.addEventListener = () => {
      listeners += 1;
    };
    signal.removeEventListener = () => {
      listeners -= 1;
    };
    await createClient<typeof decisions>({ url })["loan-approval"](good, { signal });
    expect(listeners).toBe(0);
  });
});
