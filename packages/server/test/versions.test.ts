import { afterEach, describe, expect, it } from "vitest";
import { documentedFee, hashOf } from "../../../test/support/documented-fee.js";
import { explain } from "../../../test/support/explain.js";
import { apiKeys, createServer, type DecisionServer, type ServerOptions } from "../src/index.js";
import { outcomes } from "./support/decisions.js";
import { fakeMetrics, fakeOpenAPI } from "./support/fake-features.js";
import { input, quote, quote1, quote2 } from "./support/quotes.js";
import { recordingLogger } from "./support/recording-logger.js";

const quote3 = quote("3.0.0");
const decisions = [quote1, quote2, quote3, outcomes] as const;
const link = "https://example.com/quote-1";
const versions = {
  quote: {
    default: "2.0.0",
    deprecated: { "1.0.0": { since: "2026-01-31", sunset: new Date("2027-01-31T12:00:00Z"), link } },
    retired: ["0.9.0", "3.0.0"],
  },
};
const announcement = {
  deprecation: "@1769817600",
  sunset: "Sun, 31 Jan 2027 12:00:00 GMT",
  link: `<${link}>; rel="deprecation"`,
};

const open: DecisionServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

function make(options: Partial<ServerOptions<typeof decisions>> = {}): DecisionServer {
  const server = createServer({ decisions, versions, logger: false, docs: false, ...options });
  open.push(server);
  return server;
}

function post({ handler }: DecisionServer, path: string, body: unknown = { input }) {
  const payload = typeof body === "string" ? body : JSON.stringify(body);
  return handler.inject({
    method: "POST",
    url: path,
    headers: { "content-type": "application/json" },
    payload,
  });
}

/** The headers of a reply that announce a deprecation. */
function announced(headers: Readonly<Record<string, unknown>>) {
  const { deprecation, sunset, link } = headers;
  return { deprecation, sunset, link };
}

const nothing = { deprecation: undefined, sunset: undefined, link: undefined };

describe("POST /decisions/:id", () => {
  it("evaluates the default version", async () => {
    const reply = await post(make(), "/decisions/quote");
    expect(reply.json()).toMatchObject({ data: { by: "2.0.0" }, meta: { decisionVersion: "2.0.0" } });
  });

  it("evaluates the version that select returns, and the default where it returns undefined", async () => {
    const select = ({ input }: { readonly input: unknown }) =>
      JSON.stringify(input) === '{"amount":1}' ? "1.0.0" : undefined;
    const server = make({ versions: { quote: { ...versions.quote, select } } });
    expect((await post(server, "/decisions/quote")).json().data.by).toBe("1.0.0");
    expect((await post(server, "/decisions/quote", { input: { amount: 2 } })).json().data.by).toBe("2.0.0");
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("secret");
      },
    ],
    ["returns an unknown version", () => "9"],
    ["returns a retired version", () => "3.0.0"],
    ["returns no text", () => JSON.parse("{}")],
  ])("replies 500 where select %s, which is logged and counted", async (_how, select) => {
    const logger = recordingLogger();
    const metrics = fakeMetrics();
    const server = make({ versions: { quote: { ...versions.quote, select } }, logger, metrics });
    const reply = await post(server, "/decisions/quote");
    expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
      statusCode: 500,
      json: { error: "Internal server error", code: "INTERNAL_ERROR" },
    });
    expect(logger.entries).toHaveLength(1);
    expect(metrics.events.map(({ status }) => status)).toEqual(["ERROR"]);
  });
});

describe("POST /decisions/:id/versions/:version", () => {
  it("evaluates that version, whatever select would return", async () => {
    const select = () => {
      throw new Error("not asked");
    };
    const server = make({ versions: { quote: { ...versions.quote, select } } });
    for (const version of ["1.0.0", "2.0.0"]) {
      const reply = await post(server, `/decisions/quote/versions/${version}`);
      expect(reply.json()).toMatchObject({ data: { by: version }, meta: { decisionVersion: version } });
    }
  });

  it("serves the only version of an id too", async () => {
    const reply = await post(make(), "/decisions/outcomes/versions/1.2.0", {
      input: { end: "ok" },
      profile: { limit: 1 },
    });
    expect({ statusCode: reply.statusCode, status: reply.json().status }).toEqual({
      statusCode: 200,
      status: "OK",
    });
  });

  it.each(["2.0.0+build.7", "2/0", "α β", "%41", "__proto__", "..."])(
    "finds the version %j by its escaped name",
    async (version) => {
      const server = createServer({
        decisions: [quote1, quote(version)],
        versions: { quote: { default: "1.0.0" } },
        logger: false,
      });
      open.push(server);
      const described = await server.handler.inject(
        `/decisions/quote/versions/${encodeURIComponent(version)}/endpoint-schema`,
      );
      expect(described.statusCode).toBe(200);
      expect((await post(server, described.json().path)).json().data.by).toBe(version);
    },
  );

  it("counts the evaluation for that version, also when it fails", async () => {
    const metrics = fakeMetrics();
    const server = make({
      metrics,
      profileResolver: () => {
        throw new Error("down");
      },
    });
    expect((await post(server, "/decisions/quote/versions/1.0.0")).statusCode).toBe(500);
    expect(metrics.events.map(({ decision, status }) => [decision.version, status])).toEqual([
      ["1.0.0", "ERROR"],
    ]);
  });
});

describe("a version that is not served", () => {
  const missing = [
    ["unknown", "9.9.9", 404, { error: "Version not found: 9.9.9", code: "VERSION_NOT_FOUND" }],
    [
      "an inherited name",
      "constructor",
      404,
      { error: "Version not found: constructor", code: "VERSION_NOT_FOUND" },
    ],
    [
      "retired, and gone from the code",
      "0.9.0",
      410,
      { error: "Version retired: 0.9.0", code: "VERSION_RETIRED" },
    ],
    ["retired", "3.0.0", 410, { error: "Version retired: 3.0.0", code: "VERSION_RETIRED" }],
  ] as const;

  it.each(missing)(
    "is refused on every path, before the body is read: %s",
    async (_why, version, status, body) => {
      const server = make({ bodyLimit: 50 });
      const path = `/decisions/quote/versions/${version}`;
      const bodies = ["{", '{"__proto__":1}', `"${"x".repeat(100)}"`, "{}", ""];
      for (const sent of bodies) {
        const reply = await post(server, path, sent);
        expect({ statusCode: reply.statusCode, json: reply.json() }, sent).toEqual({
          statusCode: status,
          json: body,
        });
      }
      const text = await server.handler.inject({
        method: "POST",
        url: path,
        payload: "x",
        headers: { "content-type": "text/plain" },
      });
      expect({ statusCode: text.statusCode, json: text.json() }).toEqual({ statusCode: status, json: body });
      for (const suffix of ["/schema", "/endpoint-schema"]) {
        const reply = await server.handler.inject(path + suffix);
        expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
          statusCode: status,
          json: body,
        });
      }
      for (const method of ["GET", "PUT", "DELETE"] as const) {
        const reply = await server.handler.inject({ method, url: path });
        expect({ statusCode: reply.statusCode, json: reply.json() }, method).toEqual({
          statusCode: status,
          json: body,
        });
      }
    },
  );

  it("is refused after authentication", async () => {
    const server = make({ authenticate: apiKeys({ keys: ["k"] }) });
    for (const [, version] of missing) {
      expect((await post(server, `/decisions/quote/versions/${version}`)).statusCode).toBe(401);
    }
  });

  it("does not hide that the decision does not exist", async () => {
    const server = make();
    for (const path of ["/decisions/nope/versions/1.0.0", "/decisions/nope/versions"]) {
      const reply = await (path.endsWith("s") ? server.handler.inject(path) : post(server, path));
      expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
        statusCode: 404,
        json: { error: "Decision not found: nope", code: "DECISION_NOT_FOUND" },
      });
    }
  });

  it("is not named by an empty text", async () => {
    const server = make();
    for (const path of ["/decisions/quote/versions/", "/decisions//versions/1.0.0"]) {
      const reply = await post(server, path);
      expect({ statusCode: reply.statusCode, code: reply.json().code }, path).toEqual({
        statusCode: 404,
        code: "ROUTE_NOT_FOUND",
      });
    }
  });
});

it.each([
  ["/decisions/quote/versions", "PUT", "GET, HEAD"],
  ["/decisions/quote/versions", "POST", "GET, HEAD"],
  ["/decisions/quote/versions/1.0.0", "GET", "POST"],
  ["/decisions/quote/versions/1.0.0", "DELETE", "POST"],
  ["/decisions/quote/versions/1.0.0/schema", "POST", "GET, HEAD"],
  ["/decisions/quote/versions/1.0.0/endpoint-schema", "PATCH", "GET, HEAD"],
] as const)("replies 405 with Allow on %s to %s", async (url, method, allow) => {
  const reply = await make().handler.inject({ method, url });
  expect({ statusCode: reply.statusCode, allow: reply.headers.allow, code: reply.json().code }).toEqual({
    statusCode: 405,
    allow,
    code: "METHOD_NOT_ALLOWED",
  });
});

describe("GET /decisions/:id/versions", () => {
  it("lists every version, deprecated and retired ones too", async () => {
    const server = make();
    expect((await server.handler.inject("/decisions/quote/versions")).json()).toEqual({
      id: "quote",
      default: "2.0.0",
      versions: [
        {
          version: "1.0.0",
          description: "Version 1.0.0",
          deprecated: { since: "2026-01-31T00:00:00.000Z", sunset: "2027-01-31T12:00:00.000Z", link },
        },
        { version: "2.0.0", description: "Version 2.0.0" },
        { version: "0.9.0", retired: true },
        { version: "3.0.0", retired: true },
      ],
    });
    expect((await server.handler.inject("/decisions/outcomes/versions")).json()).toEqual({
      id: "outcomes",
      default: "1.2.0",
      versions: [{ version: "1.2.0", description: outcomes.description }],
    });
  });
});

describe("schemas", () => {
  it("describe the default version, and each version under its own path", async () => {
    const server = make();
    const versionOf = async (path: string) => (await server.handler.inject(path)).json().version;
    expect(await versionOf("/decisions/quote/schema")).toBe("2.0.0");
    expect(await versionOf("/decisions/quote/versions/1.0.0/schema")).toBe("1.0.0");
    expect(await versionOf("/decisions/quote/versions/2.0.0/schema")).toBe("2.0.0");
    const pathOf = async (path: string) => (await server.handler.inject(path)).json().path;
    expect(await pathOf("/decisions/quote/endpoint-schema")).toBe("/decisions/quote");
    for (const version of ["1.0.0", "2.0.0"]) {
      const path = `/decisions/quote/versions/${version}`;
      expect(await pathOf(`${path}/endpoint-schema`)).toBe(path);
    }
  });

  it.each(["/versions", "/versions/1.0.0/schema", "/versions/1.0.0/endpoint-schema"])(
    "and lists have a strong entity tag: %s",
    async (suffix) => {
      const { handler } = make();
      const url = `/decisions/quote${suffix}`;
      const first = await handler.inject(url);
      expect(first.headers.etag).toMatch(/^"[\w-]+"$/);
      const again = await handler.inject({ url, headers: { "if-none-match": String(first.headers.etag) } });
      expect(again).toMatchObject({ statusCode: 304, body: "" });
    },
  );
});

describe("a deprecated version", () => {
  it("announces its end with every reply", async () => {
    const logger = recordingLogger();
    const metrics = fakeMetrics();
    const failing = quote("1.0.0", true);
    const server = make({ bodyLimit: 60 });
    const faulty = make({ decisions: [failing, quote2, quote3, outcomes], logger, metrics });
    const path = "/decisions/quote/versions/1.0.0";
    const big = JSON.stringify({ input: "x".repeat(100) });
    const replies = [
      [200, await post(server, path)],
      [400, await post(server, path, "{}")],
      [400, await post(server, path, "{")],
      [400, await post(server, path, { input: {} })],
      [403, await post(server, path, { input, profileName: "nope" })],
      [413, await post(server, path, big)],
      [500, await post(faulty, path)],
      [200, await server.handler.inject(`${path}/schema`)],
      [200, await server.handler.inject(`${path}/endpoint-schema`)],
      [200, await server.handler.inject({ method: "HEAD", url: `${path}/schema` })],
      [304, await server.handler.inject({ url: `${path}/schema`, headers: { "if-none-match": "*" } })],
    ] as const;
    for (const [index, [status, reply]] of replies.entries()) {
      expect({ index, statusCode: reply.statusCode, announced: announced(reply.headers) }).toEqual({
        index,
        statusCode: status,
        announced: announcement,
      });
    }
  });

  it("announces nothing for others", async () => {
    const server = make();
    for (const reply of [
      await post(server, "/decisions/quote"),
      await post(server, "/decisions/quote/versions/2.0.0"),
      await post(server, "/decisions/outcomes", { input: { end: "ok" } }),
      await server.handler.inject("/decisions"),
      await server.handler.inject("/decisions/quote/versions"),
      await server.handler.inject("/decisions/quote/schema"),
    ]) {
      expect(announced(reply.headers)).toEqual(nothing);
    }
  });

  it("announces its end where it is the default, and where select returns it", async () => {
    const fixed = make({ versions: { quote: { ...versions.quote, default: "1.0.0" } } });
    for (const reply of [
      await post(fixed, "/decisions/quote"),
      await post(fixed, "/decisions/quote", "{}"),
      await fixed.handler.inject("/decisions/quote/schema"),
    ]) {
      expect(announced(reply.headers)).toEqual(announcement);
    }
    const select = () => "1.0.0";
    const selecting = make({ versions: { quote: { ...versions.quote, select } } });
    expect(announced((await post(selecting, "/decisions/quote")).headers)).toEqual(announcement);
  });

  it("lets browsers read its announcement; without one, nothing is added", async () => {
    const exposed = async (server: DecisionServer) =>
      (await server.handler.inject("/decisions")).headers["access-control-expose-headers"];
    expect(await exposed(make())).toBe("x-request-id, etag, retry-after, deprecation, sunset, link");
    expect(await exposed(make({ cors: false }))).toBeUndefined();
    const { deprecated: _deprecated, ...others } = versions.quote;
    expect(await exposed(make({ versions: { quote: others } }))).toBe("x-request-id, etag, retry-after");
  });

  it("announces nothing on a route of the host's own with the same parameter", async () => {
    const server = make({ versions: { quote: { ...versions.quote, default: "1.0.0" } } });
    server.handler.post("/mine/:id", async () => "mine");
    expect(announced((await post(server, "/mine/quote")).headers)).toEqual(nothing);
    expect((await post(server, "/mine/nope")).body).toBe("mine");
  });
});

it("has one entry for each id in the listing and in the count", async () => {
  const server = make();
  const { decisions: listed } = (await server.handler.inject("/decisions")).json();
  expect(listed).toEqual([
    { id: "quote", version: "2.0.0", description: "Version 2.0.0" },
    expect.objectContaining({ id: "outcomes" }),
  ]);
  expect((await server.handler.inject("/")).json().decisions).toBe(2);
});

it("describes every version that it serves to the OpenAPI document", async () => {
  const openapi = fakeOpenAPI();
  const server = make({ openapi });
  const document = (await server.handler.inject("/openapi.json")).json();
  expect(document["x-ids"]).toEqual(["quote", "quote", "outcomes"]);
  expect(openapi.built).toMatchObject([
    {
      versions: {
        quote: { default: "2.0.0", deprecated: { "1.0.0": { link } }, retired: ["0.9.0", "3.0.0"] },
      },
    },
  ]);
});

describe("every route of a version", () => {
  const spelled = ["versions/1.0.0", "versions/%31%2e0.0", "%76ersions/1.0.0"];
  const routes = [
    ["/decisions/quote/*", { input }],
    ["/docs/decisions/quote/*", { input }],
    ["/docs/live/decisions/quote/*", { input }],
    ["/decisions/quote/*/batch", { inputs: [input, input] }],
    ["/decisions/quote/*/batch", `${JSON.stringify(input)}\n`],
  ] as const;

  it.each(routes.flatMap(([route, body]) => spelled.map((way) => [route.replace("*", way), body] as const)))(
    "tells hooks the version and the decoded path: %s %j",
    async (url, body) => {
      const paths = new Set<string | undefined>();
      const { handler } = make({
        docs: true,
        liveDocs: true,
        hooks: {
          beforeEvaluate: ({ decisionVersion, selectedBy, request }) => {
            paths.add(request?.path);
            if (decisionVersion !== "1.0.0" || selectedBy !== "path") return;
            throw Object.assign(new Error("internal"), { statusCode: 403, code: "NOT_YOURS" });
          },
        },
      });
      const type = typeof body === "string" ? "application/x-ndjson" : "application/json";
      const reply = await handler.inject({
        method: "POST",
        url,
        headers: { "content-type": type },
        payload: body,
      });
      expect(reply.body).toContain("NOT_YOURS");
      expect(reply.body).not.toContain('"OK"');
      expect([...paths]).toEqual([decodeURIComponent(url)]);
    },
  );

  it.each(spelled)("tells profileResolver on the route that explains, too: %s", async (way) => {
    const seen: unknown[] = [];
    const server = make({
      explain: explain(),
      profileResolver: ({ decisionVersion, selectedBy, request }) =>
        void seen.push([decisionVersion, selectedBy, request?.path]),
    });
    expect((await post(server, `/decisions/quote/${way}/explain`)).statusCode).toBe(200);
    expect(seen).toEqual([["1.0.0", "path", "/decisions/quote/versions/1.0.0/explain"]]);
  });
});

it("names what each version of a decision of logic was made from, in both lists", async () => {
  const [old, current] = [
    { light: 5, any: 7 },
    { light: 5, any: 8 },
  ];
  const { handler } = createServer({
    decisions: [documentedFee(old, "1.0.0"), documentedFee(current, "2.0.0"), quote1],
    versions: { fee: { default: "2.0.0" } },
    logger: false,
    docs: false,
  });
  const list = (await handler.inject("/decisions/fee/versions")).json();
  expect(list).toEqual({
    id: "fee",
    default: "2.0.0",
    versions: [
      { version: "1.0.0", contentHash: hashOf(old) },
      { version: "2.0.0", contentHash: hashOf(current) },
    ],
  });
  const { decisions } = (await handler.inject("/decisions")).json();
  expect(decisions).toEqual([
    { id: "fee", version: "2.0.0", contentHash: hashOf(current) },
    expect.not.objectContaining({ contentHash: expect.anything() }),
  ]);
  await handler.close();
});
