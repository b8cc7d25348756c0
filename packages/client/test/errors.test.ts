import { once } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient, DecernClientError } from "../src/index.js";
import { cut, evaluated, reply } from "./support/answers.js";
import type { decisions } from "./support/decisions.js";
import { type Answer, serve } from "./support/service.js";

/** Nothing here is decided by time, however slow the machine is. */
const timeoutMs = Number.POSITIVE_INFINITY;

const good = { amount: 9000, score: 700 };

async function failure(answer: Answer, requestId?: string): Promise<DecernClientError> {
  const { url } = await serve(answer);
  const decern = createClient<typeof decisions>({ url, timeoutMs, retries: 0 });
  const error: unknown = await decern["loan-approval"](good, { requestId }).then(
    () => new Error("there is a result"),
    (reason) => reason,
  );
  if (error instanceof DecernClientError) return error;
  throw error;
}

it.each(["https://u:secret@example.com", "https://secret@example.com/api", "//u:secret@h"])(
  "a client of %s is refused, and nobody reads its password",
  (url) => {
    const make = () => createClient<typeof decisions>({ url });
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow(/secret/);
  },
);

it.each(["https://example.com/team@home", "/api/u:v@w"])("a client of %s is made", (url) => {
  expect(() => createClient<typeof decisions>({ url })).not.toThrow();
});

describe("the error", () => {
  it.each([
    [404, { error: "Decision not found: loan-approval", code: "DECISION_NOT_FOUND" }],
    [401, { error: "Authentication required", code: "UNAUTHORIZED" }],
    [403, { error: "Not for you", code: "CALLER_NOT_ALLOWED" }],
    [410, { error: "Version retired: 1", code: "VERSION_RETIRED" }],
    [500, { error: "Evaluation failed", code: "EVALUATION_FAILED" }],
  ])("has status, code, message and request id of a %i", async (status, body) => {
    const error = await failure(reply(status, body));
    expect({ ...error }).toMatchObject({ status, code: body.code, requestId: "from-service" });
    expect(error.message).toBe(body.error);
    expect(error.name).toBe("DecernClientError");
    expect(error.retryAfterMs).toBeUndefined();
  });

  it.each([
    ["HTML of a proxy", 502, "<h1>Bad Gateway</h1>"],
    ["a page with status 200", 200, "<h1>Sign in</h1>"],
    ["nothing", 200, ""],
    ["JSON null", 200, "null"],
    ["text as JSON", 200, '"OK"'],
    ["a list", 200, "[1]"],
    ["a status that is a number", 503, { status: 503, meta: {} }],
    ["another status than an envelope has", 200, { status: "healthy", meta: {} }],
    ["a status that every object has", 200, { status: "constructor", meta: {} }],
    ["an envelope with HTTP 500", 500, { status: "OK", data: {}, meta: {} }],
    ["a result with HTTP 400", 400, { status: "NO_MATCH", meta: {} }],
    ["an invalid input with HTTP 200", 200, { status: "INVALID_INPUT", meta: {} }],
    ["an envelope without meta", 200, { status: "OK", data: {} }],
    ["an envelope with null as meta", 200, { status: "OK", data: {}, meta: null }],
    ["half an envelope", 200, '{"status":"OK","data":{"approved":tr'],
    ["a code that is no text", 400, { error: ["?"], code: 7 }],
  ])("says UNEXPECTED_REPLY for %s", async (_, status, body) => {
    const error = await failure(reply(status, body));
    expect(error).toMatchObject({ code: "UNEXPECTED_REPLY", status });
    expect(error.message).toContain(String(status));
  });

  it("says UNEXPECTED_REPLY for a reply above maxReplyBytes, and stops to read it", async () => {
    const envelope = JSON.stringify({ status: "OK", data: { approved: true, note: "é" }, meta: {} });
    const { url } = await serve(reply(200, envelope));
    const sized = (maxReplyBytes: number) =>
      createClient<typeof decisions>({ url, timeoutMs, maxReplyBytes })["loan-approval"](good);
    const bytes = Buffer.byteLength(envelope);
    expect(await sized(bytes)).toEqual(JSON.parse(envelope));
    await expect(sized(bytes - 1)).rejects.toMatchObject({
      code: "UNEXPECTED_REPLY",
      status: 200,
      message: expect.stringContaining(String(bytes - 1)),
    });
  });

  it("stops to read a reply that never ends", async () => {
    let closed: Promise<unknown> | undefined;
    const endless: Answer = (_, response) => {
      closed = once(response, "close");
      const write = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", write);
      write();
    };
    const error = await failure(endless);
    expect(error).toMatchObject({ code: "UNEXPECTED_REPLY", message: expect.stringContaining("67108864") });
    await closed;
  });

  it("keeps the message where the service sends no code", async () => {
    const error = await failure(reply(400, { error: "Missing 'input' in request body" }));
    expect(error.message).toBe("Missing 'input' in request body");
    expect(error.code).toBe("UNEXPECTED_REPLY");
  });

  it("says NETWORK_ERROR, with the cause and the request id that was sent, when there is no reply", async () => {
    const error = await failure(cut, "order-17");
    expect(error).toMatchObject({ code: "NETWORK_ERROR", status: undefined, requestId: "order-17" });
    expect(error.cause).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(/^No reply from http:.*\/decisions\/loan-approval$/);
  });

  it("says NETWORK_ERROR when a reply breaks off", async () => {
    const half: Answer = (_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write('{"status":');
      setImmediate(() => response.destroy());
    };
    expect(await failure(half)).toMatchObject({ code: "NETWORK_ERROR" });
  });

  it.each([
    ["7", 7000],
    ["0", 0],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
    ["soon", undefined],
  ])("has Retry-After: %s", async (header, retryAfterMs) => {
    const body = { error: "Server is closing", code: "SERVER_CLOSING" };
    expect((await failure(reply(503, body, { "retry-after": header }))).retryAfterMs).toBe(retryAfterMs);
  });

  it("has a date in Retry-After as the time until then", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 22, 12, 0, 0) });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const header = { "retry-after": "Sun, 22 Nov 2026 12:30:00 GMT" };
    const { retryAfterMs } = await failure(reply(503, { error: "?", code: "OVERLOADED" }, header));
    expect(retryAfterMs).toBe(1_800_000);
  });

  it("is one of its kind for other copies of the package too, and nothing else is", async () => {
    const other = { [Symbol.for("decern.client-error")]: true };
    expect(other instanceof DecernClientError).toBe(true);
    for (const value of [new Error("?"), {}, null, undefined, "TIMEOUT"])
      expect(value instanceof DecernClientError).toBe(false);
  });

  it("is not thrown for a result that is not OK", async () => {
    const { url } = await serve(evaluated);
    const call = createClient({ url, timeoutMs })["loan-approval"];
    expect(await call?.({})).toMatchObject({ status: "INVALID_INPUT" });
  });
});
