import { describe, expect, it } from "vitest";
import { createServer, type DecisionServer } from "../src/index.js";
import { decisions, profiles } from "./support/decisions.js";
import { recordingLogger } from "./support/recording-logger.js";

const json = { "content-type": "application/json" };
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function make(options: object = {}): DecisionServer {
  return createServer({ decisions, profiles, logger: false, ...options });
}

/** What every reply has. */
function expectCommon(reply: { readonly headers: Readonly<Record<string, unknown>> }): void {
  expect(reply.headers["x-request-id"]).toMatch(uuid);
  expect(reply.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(reply.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(reply.headers["x-content-type-options"]).toBe("nosniff");
  expect(reply.headers["x-frame-options"]).toBe("DENY");
  expect(reply.headers["referrer-policy"]).toBe("no-referrer");
}

const evaluation = "/decisions/outcomes";
const missing = { error: "Missing 'input' in request body" };

describe("the body of an evaluation", () => {
  it.each([
    ["no input", "{}"],
    ["an inherited name only", '{"Input":{}}'],
    ["a list", '[{"input":{}}]'],
    ["null", "null"],
    ["a string", '"input"'],
    ["a number", "1"],
    ["nothing at all", ""],
  ])("that is %s gets exactly the reply for a missing input", async (_what, payload) => {
    const reply = await make().handler.inject({ method: "POST", url: evaluation, payload, headers: json });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toEqual(missing);
    expectCommon(reply);
  });

  it("may be absent, with its content type; then its input is missing", async () => {
    const reply = await make().handler.inject({ method: "POST", url: evaluation });
    expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({ statusCode: 400, json: missing });
  });

  it.each(['{"input":', "{'input':{}}", '{"input":{}} x', '{"input":NaN}', "\u0000"])(
    "that is malformed (%j) is 400",
    async (payload) => {
      const reply = await make().handler.inject({ method: "POST", url: evaluation, payload, headers: json });
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toEqual({ error: "Request body is not valid JSON", code: "INVALID_JSON" });
      expectCommon(reply);
    },
  );

  it.each([
    '{"__proto__":{"a":1},"input":{}}',
    '{"input":{"deep":[{"__proto__":null}]}}',
    '{"input":{"\\u005f_proto__":1}}',
    '{"input":{"constructor":{"prototype":{"a":1}}}}',
    '{"input":{},"profile":{"__proto__":{}}}',
  ])("with a forbidden key (%s) is 400", async (payload) => {
    const reply = await make().handler.inject({ method: "POST", url: evaluation, payload, headers: json });
    expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({
      statusCode: 400,
      code: "FORBIDDEN_KEY",
    });
    expectCommon(reply);
  });

  it.each([
    '{"input":{"end":"__proto__"}}',
    '{"input":{"end":"constructor","note":"\\u00e9"}}',
    '{"input":{"end":"","constructor":1}}',
  ])("may contain such a word where it is not a key: %s", async (payload) => {
    const reply = await make().handler.inject({ method: "POST", url: evaluation, payload, headers: json });
    expect(reply.json().status).toBe("NO_MATCH");
  });

  it("may start with a byte order mark", async () => {
    const payload = '\ufeff{"input":{"end":"ok"}}';
    const reply = await make().handler.inject({ method: "POST", url: evaluation, payload, headers: json });
    expect(reply.json().status).toBe("OK");
  });

  it("is 413 above the limit, and accepted at the limit", async () => {
    const server = make({ bodyLimit: 60 });
    const body = '{"input":{"end":"ok"}}';
    const send = (length: number) =>
      server.handler.inject({ method: "POST", url: evaluation, payload: body.padEnd(length), headers: json });
    expect((await send(60)).statusCode).toBe(200);
    const reply = await send(61);
    expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({
      statusCode: 413,
      code: "BODY_TOO_LARGE",
    });
    expectCommon(reply);
  });

  it("has a limit of 1 MiB by default", async () => {
    const { handler } = make();
    const send = (length: number) =>
      handler.inject({ method: "POST", url: evaluation, payload: "{}".padEnd(length), headers: json });
    expect((await send(1_048_576)).statusCode).toBe(400);
    expect((await send(1_048_577)).statusCode).toBe(413);
  });

  it.each([
    ["text/plain"],
    ["application/x-www-form-urlencoded"],
    ["application/xml"],
    ["application/jsonp"],
    ["nonsense"],
    [undefined],
  ])("of type %s is 415", async (type) => {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const payload = Buffer.from('{"input":{"end":"ok"}}');
    const reply = await make().handler.inject({ method: "POST", url: evaluation, payload, headers });
    expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({
      statusCode: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
    expectCommon(reply);
  });

  it.each(["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"])(
    "of type %s is JSON",
    async (type) => {
      const headers = { "content-type": type };
      const payload = '{"input":{"end":"ok"}}';
      const reply = await make().handler.inject({ method: "POST", url: evaluation, payload, headers });
      expect(reply.statusCode).toBe(200);
    },
  );

  it("that is compressed is 415", async () => {
    const headers = { ...json, "content-encoding": "gzip" };
    const reply = await make().handler.inject({ method: "POST", url: evaluation, payload: "{}", headers });
    expect(reply.statusCode).toBe(415);
  });
});

describe("paths and methods", () => {
  it.each([
    ["POST", "/decisions/unknown"],
    ["GET", "/decisions/unknown/schema"],
    ["GET", "/decisions/unknown/endpoint-schema"],
  ] as const)("%s %s names the decision that there is not", async (method, url) => {
    const reply = await make().handler.inject({
      method,
      url,
      ...(method === "POST" ? { payload: { input: {} } } : {}),
    });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({ error: "Decision not found: unknown", code: "DECISION_NOT_FOUND" });
    expectCommon(reply);
  });

  it("never replies with HTML to unknown paths", async () => {
    const reply = await make().handler.inject("/decisions/%3Cscript%3E/schema");
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(reply.json().error).toBe("Decision not found: <script>");
  });

  it.each([
    "/nope",
    "/decisions/",
    "/decisions/outcomes/",
    "/Decisions",
    "/health",
    "/health/live/",
    "/decisions/outcomes/schema/",
  ])("GET %s is 404", async (url) => {
    const reply = await make().handler.inject(url);
    expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({
      statusCode: 404,
      code: "ROUTE_NOT_FOUND",
    });
    expectCommon(reply);
  });

  it.each([
    ["GET", evaluation, "POST"],
    ["PUT", evaluation, "POST"],
    ["DELETE", "/decisions", "GET, HEAD"],
    ["POST", "/", "GET, HEAD"],
    ["POST", "/health/live", "GET, HEAD"],
    ["PATCH", "/decisions/outcomes/schema?a=b", "GET, HEAD"],
    ["PROPFIND", "/decisions", "GET, HEAD"],
  ])("%s %s is 405 with Allow", async (method, url, allow) => {
    const { handler } = make();
    await handler.ready();
    const reply = await handler.inject({ method: method as "GET", url });
    expect({ statusCode: reply.statusCode, allow: reply.headers.allow, code: reply.json().code }).toEqual({
      statusCode: 405,
      allow,
      code: "METHOD_NOT_ALLOWED",
    });
    expectCommon(reply);
  });

  it("replies to HEAD as to GET, without the body", async () => {
    const { handler } = make();
    const get = await handler.inject("/decisions");
    const head = await handler.inject({ method: "HEAD", url: "/decisions" });
    expect(head).toMatchObject({ statusCode: 200, body: "" });
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    expect(head.headers.etag).toBe(get.headers.etag);
  });

  it.each(["/decisions/%zz", "/decisions/%", "/decisions/%c3%28/schema"])("GET %s is 400", async (url) => {
    const reply = await make().handler.inject(url);
    expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
      statusCode: 400,
      json: { error: "Bad request", code: "BAD_REQUEST" },
    });
    expectCommon(reply);
  });

  it("replies 414 for an id of more than 1,024 characters", async () => {
    const reply = await make().handler.inject({
      method: "POST",
      url: `/decisions/${"a".repeat(1025)}`,
      payload: {},
    });
    expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({
      statusCode: 414,
      code: "URI_TOO_LONG",
    });
    expectCommon(reply);
  });
});

describe("CORS", () => {
  const preflight = {
    origin: "https://a.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type",
  };

  it("allows every origin by default", async () => {
    const { handler } = make();
    const reply = await handler.inject({
      method: "POST",
      url: evaluation,
      payload: { input: { end: "ok" } },
    });
    expect(reply.headers["access-control-allow-origin"]).toBe("*");
    const asked = await handler.inject({ method: "OPTIONS", url: evaluation, headers: preflight });
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers": "content-type",
    });
  });

  it.each([
    [evaluation, "POST"],
    [`${evaluation}?trace=1`, "POST"],
    ["/decisions", "GET, HEAD"],
    ["/nope", undefined],
  ])("names the methods of the path in the reply to OPTIONS: %s", async (url, allow) => {
    const { handler } = make();
    for (const headers of [preflight, {}]) {
      const { statusCode, headers: replied } = await handler.inject({ method: "OPTIONS", url, headers });
      expect({ statusCode, allow: replied.allow }).toEqual({ statusCode: 204, allow });
    }
  });

  it("lets a browser read errors too", async () => {
    const reply = await make().handler.inject("/nope");
    expect(reply.headers["access-control-allow-origin"]).toBe("*");
  });

  it("is off if the host turns it off", async () => {
    const { handler } = make({ cors: false });
    const reply = await handler.inject("/decisions");
    expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
    const asked = await handler.inject({ method: "OPTIONS", url: evaluation, headers: preflight });
    expect({ statusCode: asked.statusCode, allow: asked.headers.allow }).toEqual({
      statusCode: 405,
      allow: "POST",
    });
  });
});

describe("a host's own routes on server.handler", () => {
  it("work, and get headers and a request id", async () => {
    const { handler } = make();
    handler.get("/version", async () => ({ build: 7 }));
    handler.register(async (scope) => void scope.get("/nested", () => "text"), { prefix: "/mine" });
    const reply = await handler.inject("/version");
    expect(reply.json()).toEqual({ build: 7 });
    expectCommon(reply);
    expect((await handler.inject("/mine/nested")).body).toBe("text");
  });

  it("mask and log their faults", async () => {
    const logger = recordingLogger();
    const { handler } = make({ logger });
    handler.get("/fault", async () => {
      throw new Error("/srv/secret/path");
    });
    const reply = await handler.inject("/fault");
    expect(reply.statusCode).toBe(500);
    expect(reply.json()).toEqual({ error: "Internal server error", code: "INTERNAL_ERROR" });
    expect(logger.entries).toMatchObject([
      { details: { err: { message: "/srv/secret/path" }, route: "/fault" } },
    ]);
  });

  it.each([
    [
      "their own 4xx",
      { statusCode: 409, code: "TAKEN", message: "Name taken" },
      { error: "Name taken", code: "TAKEN" },
    ],
    ["one without a code", { statusCode: 422, message: "No" }, { error: "No", code: "BAD_REQUEST" }],
    [
      "one whose code no program could rely on",
      { statusCode: 400, code: "not a code", message: "No" },
      { error: "No", code: "BAD_REQUEST" },
    ],
    ["one without a message", { statusCode: 410 }, { error: "Bad request", code: "BAD_REQUEST" }],
    [
      "one whose message is not text",
      { statusCode: 400, message: 7 },
      { error: "Bad request", code: "BAD_REQUEST" },
    ],
  ])("pass on %s", async (_what, thrown, body) => {
    const { handler } = make();
    handler.get("/refuse", async () => {
      throw Object.assign(new Error(), thrown);
    });
    const reply = await handler.inject("/refuse");
    expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
      statusCode: thrown.statusCode,
      json: body,
    });
  });

  it("accept bodies other than JSON", async () => {
    const { handler } = make();
    handler.post("/echo", async (request) => request.body);
    const reply = await handler.inject({
      method: "POST",
      url: "/echo",
      payload: "plain",
      headers: { "content-type": "text/plain" },
    });
    expect(reply.body).toBe("plain");
  });
});

it("masks the error of a host's own hook that fails while the reply is written", async () => {
  const { handler } = make();
  handler.addHook("onSend", (_request, reply, payload, done) => {
    if (reply.statusCode === 200) reply.header("x-broken", "a\nb");
    else reply.removeHeader("x-broken");
    done(null, payload);
  });
  const payload = { input: { end: "ok" } };
  const reply = await handler.inject({ method: "POST", url: evaluation, payload });
  expect(reply.statusCode).toBe(500);
  expect(reply.json()).toEqual({ error: "Internal server error", code: "INTERNAL_ERROR" });
  expectCommon(reply);
});
