import { gunzipSync } from "node:zlib";
import { type Decision, defineDecision } from "@decern/core";
import { matchesETag } from "@decern/core/host";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { expectCostInStep } from "../../../test/suites/growth.js";
import manifest from "../package.json" with { type: "json" };
import { createServer } from "../src/index.js";
import { strongETag } from "../src/reply/send.js";
import { decisions, outcomes, profiles } from "./support/decisions.js";
import { fakeOpenAPI } from "./support/fake-features.js";

const server = createServer({ decisions, profiles, logger: false });

it("returns its name, the package's version and the number of decisions", async () => {
  const reply = await server.handler.inject("/");
  expect(reply.json()).toEqual({ name: "decern", version: manifest.version, decisions: 2 });
});

it("is live and ready", async () => {
  expect((await server.handler.inject("/health/live")).json()).toEqual({ status: "live" });
  expect((await server.handler.inject("/health/ready")).json()).toEqual({ status: "ready" });
});

it("lists decisions in order, with exactly the documented fields", async () => {
  const reply = await server.handler.inject("/decisions");
  expect(reply.json()).toEqual({
    decisions: [
      { id: "outcomes", version: "1.2.0", description: "Ends as it is told <b>", meta: { owner: "tests" } },
      { id: "broken", version: "0.1.0" },
    ],
  });
});

it("returns a decision's schemas", async () => {
  const reply = await server.handler.inject("/decisions/outcomes/schema");
  expect(reply.json()).toMatchObject({
    id: "outcomes",
    version: "1.2.0",
    inputSchema: { type: "object", properties: { end: { type: "string" } }, required: ["end"] },
    outputSchema: { type: "object", required: ["allowed"] },
    profileSchema: { type: "object", required: ["limit"] },
  });
  expect(Object.keys(reply.json())).toEqual([
    "id",
    "version",
    "inputSchema",
    "outputSchema",
    "profileSchema",
  ]);
});

it("describes how to call a decision, with its own schemas", async () => {
  const [schema, endpoint] = await Promise.all(
    ["schema", "endpoint-schema"].map(async (name) =>
      (await server.handler.inject(`/decisions/outcomes/${name}`)).json(),
    ),
  );
  expect(Object.keys(endpoint)).toEqual(["id", "method", "path", "requestSchema", "responseSchema"]);
  expect(endpoint).toMatchObject({ id: "outcomes", method: "POST", path: "/decisions/outcomes" });
  expect(endpoint.requestSchema).toEqual({
    type: "object",
    properties: { input: schema.inputSchema, profile: schema.profileSchema },
    required: ["input"],
  });
  expect(Object.keys(endpoint.responseSchema.properties)).toEqual(["status", "data", "meta"]);
  expect(endpoint.responseSchema.properties.data).toEqual(schema.outputSchema);
});

it("adjusts references when it moves a schema", async () => {
  interface Tree {
    readonly leaves: readonly Tree[];
  }
  const tree: z.ZodType<Tree> = z.object({ leaves: z.array(z.lazy(() => tree)) });
  const recursive: Decision = defineDecision({
    id: "tree",
    version: "1",
    inputSchema: tree,
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "only", when: () => true, emit: () => ({}) }],
  });
  const reply = await createServer({ decisions: [recursive] }).handler.inject(
    "/decisions/tree/endpoint-schema",
  );
  const document = reply.json();
  const refs = [...reply.body.matchAll(/"\$ref":"#([^"]*)"/g)].map(([, pointer]) => pointer ?? "");
  expect(refs.length).toBeGreaterThan(0);
  for (const pointer of refs) {
    const target = pointer
      .split("/")
      .slice(1)
      .reduce((at, key) => at?.[key], document.requestSchema);
    expect(target).toMatchObject({ type: "object", required: ["leaves"] });
  }
});

describe("entity tags", () => {
  const urls = ["/decisions", "/decisions/outcomes/schema", "/decisions/outcomes/endpoint-schema"];

  it.each(urls)(
    "%s has a strong one, the same on two servers, and returns 304 to clients that have it",
    async (url) => {
      const first = await server.handler.inject(url);
      const etag = String(first.headers.etag);
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      const again = await createServer({ decisions, profiles }).handler.inject(url);
      expect(again.headers.etag).toBe(etag);
      for (const header of [etag, `W/${etag}`, "*", `"other", ${etag}`]) {
        const reply = await server.handler.inject({ url, headers: { "if-none-match": header } });
        expect({ statusCode: reply.statusCode, body: reply.body, etag: reply.headers.etag }).toEqual({
          statusCode: 304,
          body: "",
          etag,
        });
      }
      const changed = await server.handler.inject({ url, headers: { "if-none-match": '"other"' } });
      expect({ statusCode: changed.statusCode, body: changed.body }).toEqual({
        statusCode: 200,
        body: first.body,
      });
    },
  );

  it("differ if the documents do", async () => {
    const tags = await Promise.all(urls.map(async (url) => (await server.handler.inject(url)).headers.etag));
    expect(new Set(tags).size).toBe(urls.length);
  });

  it("match themselves in any list, and never match another", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 1, maxLength: 5 }),
        fc.string(),
        fc.nat(),
        (texts, other, at) => {
          const own = texts[at % texts.length] ?? "";
          const list = texts
            .map((text, index) => `${index % 2 === 0 ? "" : "W/"}${strongETag(text)}`)
            .join(" , ");
          expect(matchesETag(list, strongETag(own))).toBe(true);
          if (!texts.includes(other)) expect(matchesETag(list, strongETag(other))).toBe(false);
        },
      ),
    );
  });

  it("do not match a missing or malformed header", () => {
    expect(matchesETag(undefined, '"a"')).toBe(false);
    expect(matchesETag("a", '"a"')).toBe(false);
    expect(matchesETag("", '"a"')).toBe(false);
  });
});

it("starts with ten thousand decisions at a cost proportional to their number", async () => {
  const start = (count: number) => {
    const many = Array.from({ length: count }, (_, index): Decision => ({ ...outcomes, id: `d-${index}` }));
    return async () => {
      const { handler } = createServer({ decisions: many, logger: false });
      await handler.ready();
      expect((await handler.inject("/")).json().decisions).toBe(count);
    };
  };
  await expectCostInStep(start, [300, 9_600]);
});

describe("compression of the OpenAPI document", () => {
  const { handler } = createServer({ decisions, profiles, openapi: fakeOpenAPI(), logger: false });
  const get = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
    handler.inject({ url, headers, method });

  it.each(["/openapi.json", "/swagger/json"])("applies to %s where the client takes it", async (url) => {
    const plain = await get(url);
    const gzip = await get(url, { "accept-encoding": "br, gzip;q=0.5" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(Number(gzip.headers["content-length"])).toBe(gzip.rawPayload.length);
    expect((await get(url, { "accept-encoding": "gzip;q=0" })).body).toBe(plain.body);
    for (const { headers } of [plain, gzip]) {
      expect(headers["content-type"]).toMatch(/^application\/json/);
      expect(headers["vary"]).toMatch(/\baccept-encoding$/);
    }
  });

  it.each(["gzip", "identity"])("has an entity tag of its own for %s, also for HEAD", async (encoding) => {
    const url = "/openapi.json";
    const headers = { "accept-encoding": encoding };
    const first = await get(url, headers);
    const head = await get(url, headers, "HEAD");
    expect(head.headers["etag"]).toBe(first.headers["etag"]);
    expect(head.headers["content-length"]).toBe(first.headers["content-length"]);
    for (const method of ["GET", "HEAD"] as const) {
      const again = await get(url, { ...headers, "if-none-match": String(first.headers["etag"]) }, method);
      expect(again.statusCode).toBe(304);
      expect(again.rawPayload).toHaveLength(0);
      expect(again.headers["vary"]).toMatch(/\baccept-encoding$/);
      expect(again.headers["content-encoding"]).toBeUndefined();
    }
    const other = await get(url, { "accept-encoding": encoding === "gzip" ? "identity" : "gzip" });
    expect(other.headers["etag"]).not.toBe(first.headers["etag"]);
  });
});

describe("the document that Swagger UI shows", () => {
  it("is the one that is served, as JSON and as YAML, and is built on the first request only", async () => {
    const openapi = fakeOpenAPI();
    const { handler } = createServer({ decisions, profiles, openapi, logger: false });
    await handler.ready();
    expect(openapi.built).toHaveLength(0);
    const json = await handler.inject("/swagger/json");
    const yaml = await handler.inject("/swagger/yaml");
    const served = (await handler.inject("/openapi.json")).json();
    expect(served).toMatchObject({ info: { title: "Fake" }, "x-ids": ["outcomes", "broken"] });
    expect(json.json()).toEqual(served);
    expect(parse(yaml.body)).toEqual(served);
    expect(openapi.built).toHaveLength(1);
  });
});
