import { brotliCompressSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rollOut } from "../../src/callers.js";
import { defaultDecisions, profiles } from "../../src/decisions/index.js";
import { type RawReply, type RawRequest, send } from "./raw-request.js";
import { type Target, targets } from "./targets.js";

/** Set `FUZZ_RUNS=100000` for a long run, and `FUZZ_SEED` to repeat a run. The seed is printed. */
const numRuns = Number(process.env["FUZZ_RUNS"] ?? 400);
const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);

const ids = [
  ...defaultDecisions.map(({ id }) => id),
  "__proto__",
  "constructor",
  "nobody",
  "%00",
  "..",
  "a%2fb",
  "%zz",
  "é",
];
const valid = {
  applicant: { age: 40, income: 60_000, creditScore: 720, employment: "employed" },
  amount: 10_000,
  termMonths: 48,
  country: "DE",
};
const hostile = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "input",
  "profile",
  "\u0000",
  "a/b~c",
  "é",
  "💥",
  "\ud800",
];

const json: fc.Arbitrary<unknown> = fc
  .letrec((tie) => ({
    key: fc.oneof(
      fc.constantFrom(...hostile, ...Object.keys(valid)),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    leaf: fc.oneof(
      fc.constantFrom(
        null,
        true,
        false,
        0,
        -0,
        1e308,
        -1e-308,
        2 ** 53,
        1.7976931348623157e308,
        "",
        "\ud800",
        ...hostile,
      ),
      fc.double({ noNaN: true }),
      fc.string({ unit: "binary", maxLength: 20 }),
    ),
    any: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      tie("leaf"),
      fc.array(tie("any"), { maxLength: 4 }),
      fc.array(fc.tuple(tie("key"), tie("any")), { maxLength: 5 }).map((entries) => ({ entries })),
    ),
  }))
  ["any"].map(withOwnKeys);

/** `{ __proto__: … }` as an own key, which a literal cannot create. */
function withOwnKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwnKeys);
  if (typeof value !== "object" || value === null || !("entries" in value) || !Array.isArray(value.entries))
    return value;
  return Object.fromEntries(value.entries.map(([key, inner]) => [String(key), withOwnKeys(inner)]));
}

/** A valid input with one place replaced by anything. */
const mutated = fc
  .tuple(fc.constantFrom(...Object.keys(valid), "applicant.age", "applicant.income"), json)
  .map(([place, value]) => {
    const copy: Record<string, unknown> = structuredClone(valid);
    if (place.startsWith("applicant.")) copy["applicant"] = { ...valid.applicant, [place.slice(10)]: value };
    else copy[place] = value;
    return copy;
  });

const text = fc.oneof(
  fc
    .oneof(
      json,
      mutated,
      json.map((profile) => ({ input: valid, profile })),
    )
    .map((value) => JSON.stringify(value)),
  fc.oneof(json, mutated).map((input) => JSON.stringify({ input })),
  fc.constantFrom(
    "",
    " ",
    "{",
    '{"input"',
    '{"input":{}}}',
    "[]",
    "null",
    '"x"',
    "1e999",
    "-",
    "NaN",
    '{"input":1,"input":{}}',
    '{"input":{"amount":1,"amount":2}}',
    '{"__proto__":{"x":1}}',
    '{"input":{"__proto__":null}}',
    '{"input":{"constructor":{"prototype":{}}}}',
    '{"\\u005f_proto__":1}',
    '{"input":{"amount":1e400}}',
    '{"input":{"amount":-0}}',
    "\uFEFF{}",
    `\uFEFF${JSON.stringify({ input: valid })}`,
    "[".repeat(20_000),
    '{"a":'.repeat(5_000),
    `"${"\\ud800".repeat(100)}"`,
  ),
  fc.string({ unit: "binary", maxLength: 60 }),
);
const bytes = fc.oneof(
  text.map((value) => Buffer.from(value)),
  fc.uint8Array({ maxLength: 80 }),
  text.map((value) => Buffer.from(value, "utf16le")),
  fc.constant(Buffer.concat([Buffer.from('{"input":"'), Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('"}')])),
);
const compressed = fc
  .tuple(text, fc.constantFrom("gzip", "br", "identity", "deflate", "nonsense"))
  .map(([value, encoding]) => ({
    body:
      encoding === "gzip"
        ? gzipSync(value)
        : encoding === "br"
          ? brotliCompressSync(value)
          : Buffer.from(value),
    headers: { "content-encoding": encoding },
  }));

const contentType = fc.constantFrom(
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-16",
  "APPLICATION/JSON",
  "application/json;",
  "application/problem+json",
  "text/plain",
  "text/html",
  "multipart/form-data",
  "application/x-www-form-urlencoded",
  "application/xml",
  "",
  "x",
  "application/json, text/html",
  'application/json; charset="',
  "/",
  "*/*",
);
const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ids).map((id) => `/decisions/${id}`) },
  fc
    .tuple(fc.constantFrom(...ids), fc.constantFrom("/schema", "/endpoint-schema", "/", "//", "/x"))
    .map(([id, rest]) => `/decisions/${id}${rest}`),
  fc
    .tuple(
      fc.constantFrom(...ids),
      fc.constantFrom("1.2.0", "2.0.0", "1.1.0", ...ids),
      fc.constantFrom("", "", "/schema", "/endpoint-schema", "/"),
    )
    .map(([id, version, rest]) => `/decisions/${id}/versions/${version}${rest}`),
  fc.constantFrom(...ids).map((id) => `/decisions/${id}/versions`),
  fc.constantFrom(
    "/",
    "/decisions",
    "/decisions/",
    "/health/live",
    "/health/ready",
    "/metrics",
    "/openapi.json",
    "/nowhere",
    "//",
    "/%",
    "/%c0%af",
    `/${"a".repeat(4000)}`,
  ),
  fc
    .tuple(fc.constantFrom(...ids), fc.webQueryParameters())
    .map(([id, query]) => `/decisions/${id}?${query}`),
);
const method = fc.oneof(
  { weight: 5, arbitrary: fc.constant("POST") },
  fc.constantFrom("GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PROPFIND"),
);
const headers = fc.record(
  {
    "x-request-id": fc.oneof(
      fc.constantFrom("abc", "a b", "<script>", "x".repeat(200), ""),
      fc.stringMatching(/^[ -~]{0,40}$/),
    ),
    accept: fc.constantFrom("*/*", "text/html", "application/openmetrics-text", "q=", ";;;"),
    "if-none-match": fc.constantFrom("*", '"x"', 'W/"x", "y"', ",,,"),
    origin: fc.constantFrom("https://example.org", "null", "<x>"),
    "accept-encoding": fc.constantFrom("gzip", "br;q=0", ";"),
    "x-long": fc.constant("y".repeat(6000)),
  },
  { requiredKeys: [] },
);

const anyRequest: fc.Arbitrary<RawRequest> = fc
  .tuple(
    method,
    path,
    headers,
    fc.option(contentType, { freq: 5 }),
    fc.oneof({ weight: 5, arbitrary: bytes.map((body) => ({ body, headers: {} })) }, compressed),
  )
  .map(([verb, where, extra, type, payload]) => ({
    method: verb,
    path: where,
    headers: { ...clean(extra), ...payload.headers, ...(type === null ? {} : { "content-type": type }) },
    body: verb === "GET" || verb === "HEAD" ? undefined : payload.body,
  }));

/**
 * Bytes that are invalid in a URL fail before the method is known. A client that sent HEAD would not read the body of that
 * reply.
 */
function readable({ method, path }: RawRequest): boolean {
  return method !== "HEAD" || /^[ -~]*$/.test(path);
}

/** A record without undefined values. */
function clean(extra: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(extra).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const internals =
  /node_modules|\/src\/|\/dist\/|\bat [\w.<>]+ \(|\.(ts|js):\d+|Error: |SyntaxError|TypeError/;
const mounted = new RegExp(
  `^/decisions/(${defaultDecisions.map(({ id }) => id).join("|")})(/versions/(1\\.2\\.0|2\\.0\\.0))?(\\?|$)`,
);
const envelopes = new Set(["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE"]);

/** What must hold for every reply. */
function expectSound(target: Target, { method, path }: RawRequest, reply: RawReply): void {
  const what = `${target.name}: ${method} ${path} -> ${reply.status} ${reply.text.slice(0, 300)}`;
  expect(reply.status, what).toBeLessThan(500);
  expect(reply.text, what).not.toMatch(internals);
  // An adapter is responsible for its decisions only. Other paths, and bytes that aren't HTTP, are up to its host.
  if (target.name !== "server" && (!mounted.test(path) || method !== "POST")) return;
  const ownPage = target.name === "server" && (path === "/metrics" || path === "/openapi.json");
  const onDecision = mounted.test(path) && method === "POST";
  expect(String(reply.headers["x-request-id"]), what).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  if (reply.status === 303) {
    // Browsers, which ask for HTML at the root, are sent to the docs page.
    expect(reply.headers["location"], what).toMatch(/docs$/);
    return;
  }
  if (method === "HEAD" || reply.status === 204 || reply.status === 304 || ownPage) return;
  expect(String(reply.headers["content-type"]), what).toMatch(/^application\/json/);
  const body: unknown = JSON.parse(reply.text);
  if (typeof body !== "object" || body === null) throw new Error(what);
  if (reply.status >= 400 && !("status" in body)) {
    expect(Object.keys(body).sort(), what).toEqual("code" in body ? ["code", "error"] : ["error"]);
    if (!("code" in body)) expect(body, what).toEqual({ error: "Missing 'input' in request body" });
  } else if (onDecision) {
    expect("status" in body && envelopes.has(String(body.status)), what).toBe(true);
  }
}

describe.each(["server", "express", "fastify"] as const)("%s", (name) => {
  let target: Target;
  beforeAll(async () => {
    const { decisions, versions } = rollOut(0);
    target = await targets[name]({ decisions, versions, profiles });
    console.log(`fuzzing ${name}: FUZZ_SEED=${seed} FUZZ_RUNS=${numRuns}`);
  });
  afterAll(() => target.close());

  const timeout = 300_000 + numRuns * 100;

  it("replies correctly to any request, and keeps serving", { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest.filter(readable), async (request) => {
        expectSound(target, request, await send(target.port, request));
      }),
      { numRuns, seed, endOnFailure: false },
    );
    const reply = await send(target.port, {
      method: "POST",
      path: "/decisions/loan-approval",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(target.body(valid)),
    });
    expect({ replyStatus: reply.status, textStatus: JSON.parse(reply.text).status }).toEqual({
      replyStatus: 200,
      textStatus: "OK",
    });
  });

  it("never echoes a value that it refuses", async () => {
    const marker = "s3cr3t-marker";
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("amount", "country", "termMonths", "applicant"), async (field) => {
        const body = JSON.stringify(target.body({ ...valid, [field]: marker }));
        const reply = await send(target.port, {
          method: "POST",
          path: "/decisions/loan-approval",
          headers: { "content-type": "application/json" },
          body,
        });
        expect(reply.text).not.toContain(marker);
      }),
      { numRuns: 20, seed },
    );
  });
});
