import { DecernError } from "@decern/core";
import { describe, expect, it } from "vitest";
import { explain } from "../../../test/support/explain.js";
import { apiKeys, createServer } from "../src/index.js";
import { decisions, outcomes, profiles } from "./support/decisions.js";
import { fakeMetrics, fakeOpenAPI } from "./support/fake-features.js";

/** The problems of options that untyped JavaScript may pass. */
function problemsOf(options: object): readonly string[] {
  try {
    Reflect.apply(createServer, undefined, [{ decisions, ...options }]);
  } catch (error) {
    if (!(error instanceof DecernError)) throw error;
    expect(error.code).toBe("INVALID_OPTIONS");
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

it("reports every problem of every option at once, including those of decisions and profiles", () => {
  const wrong = {
    decisions: [outcomes, outcomes, {}],
    cors: "*",
    hooks: { before() {} },
    metrics: { enabled: true },
    profiles: { zzz: {}, outcomes: { limit: "1" } },
  };
  expect(problemsOf(wrong).map((problem) => problem.split(": ", 1)[0])).toEqual(
    expect.arrayContaining([
      "/cors",
      "/hooks/before",
      "/metrics",
      "/decisions/1",
      "/decisions/2",
      "/profiles/zzz",
      "/profiles/outcomes/limit",
    ]),
  );
  expect(problemsOf(wrong)).toHaveLength(7);
  expect(problemsOf({ decisions: 1, profiles: 1, cors: 1 })).toHaveLength(3);
});

it("refuses to start without a required profile if callers may not send one", () => {
  const missing = [expect.stringMatching(/^\/profiles\/outcomes: is required: .*\/limit/)];
  expect(problemsOf({ profileOverride: false })).toEqual(missing);
  expect(problemsOf({ profileOverride: false, profiles })).toEqual([]);
  expect(problemsOf({ profileOverride: "merge", logger: false })).toEqual([]);
});

it("refuses unknown options", () => {
  expect(problemsOf({ port: 1 })).toEqual([expect.stringMatching(/^\/port: is unknown/)]);
  expect(problemsOf({ allowProfileOverride: false, profiles })).toEqual([
    "/allowProfileOverride: is unknown: write profileOverride: false to refuse profiles of callers",
  ]);
  expect(problemsOf({ hooks: { beforeEvaluation() {} } })).toEqual([
    expect.stringMatching(/^\/hooks\/beforeEvaluation: is unknown/),
  ]);
  expect(problemsOf({ overload: { maxConcurrent: 1, max: 1 } })).toEqual([
    expect.stringMatching(/^\/overload\/max: is unknown/),
  ]);
});

it("accepts every option at its default", () => {
  const options = {
    cors: true,
    docs: true,
    profileOverride: "replace",
    bodyLimit: 1_048_576,
    hookTimeoutMs: 5000,
    maxBatch: 1000,
    requestTimeoutMs: 10_000,
    keepAliveTimeoutMs: 65_000,
    maxConnectionAgeMs: 300_000,
    closeTimeoutMs: 10_000,
    logger: true,
    trustProxy: false,
    metrics: { enabled: false },
    openapi: {},
    hooks: undefined,
  };
  expect(problemsOf(options)).toEqual([]);
});

it.each([
  [{ cors: "yes" }, "/cors"],
  [{ docs: 1 }, "/docs"],
  [{ liveDocs: "yes" }, "/liveDocs"],
  [{ liveDocs: true, docs: false }, "/liveDocs"],
  [{ explain: explain(), hooks: { beforeEvaluate() {} } }, "/explain"],
  [{ explain: true }, "/explain"],
  [{ bodyLimit: 0 }, "/bodyLimit"],
  [{ hookTimeoutMs: 1.5 }, "/hookTimeoutMs"],
  [{ maxBatch: 0 }, "/maxBatch"],
  [{ requestTimeoutMs: Number.POSITIVE_INFINITY }, "/requestTimeoutMs"],
  [{ writeTimeoutMs: "10s" }, "/writeTimeoutMs"],
  [{ closeTimeoutMs: -1 }, "/closeTimeoutMs"],
  [{ keepAliveTimeoutMs: 2 ** 31 }, "/keepAliveTimeoutMs"],
  [{ maxConnectionAgeMs: 0 }, "/maxConnectionAgeMs"],
  [{ hooks: { onError: "log" } }, "/hooks/onError"],
  [{ authenticate: {} }, "/authenticate"],
  [{ observers: {} }, "/observers"],
  [{ logger: {} }, "/logger/error"],
  [{ overload: {} }, "/overload"],
  [{ overload: { maxConcurrent: 0 } }, "/overload/maxConcurrent"],
  [{ publicMetrics: 1 }, "/publicMetrics"],
  [{ trustProxy: "nonsense" }, "/trustProxy"],
  [{ trustProxy: ["10.0.0.1", "10.0.0.0/99"] }, "/trustProxy"],
  [{ trustProxy: [1] }, "/trustProxy"],
  [{ trustProxy: {} }, "/trustProxy"],
  [{ trustProxy: null }, "/trustProxy"],
  [{ trustProxy: Number.NaN }, "/trustProxy"],
  [{ decisions: {} }, "/decisions"],
  [{ decisions: [{ id: "plain" }] }, "/decisions/0"],
  [{ decisions: [outcomes, outcomes] }, "/decisions/1"],
  [{ profiles: { nobody: {} } }, "/profiles/nobody"],
  [{ profiles: { outcomes: { limit: "x" } } }, "/profiles/outcomes/limit"],
])("refuses %j", (options, path) => {
  expect(problemsOf(options)).toEqual([expect.stringMatching(new RegExp(`^${path}:`))]);
});

it.each([true, 1, "10.0.0.1, loopback", ["10.0.0.0/8"], (): boolean => true])(
  "trusts the proxies %j",
  (trustProxy) => {
    expect(problemsOf({ trustProxy })).toEqual([]);
  },
);

it("lists every problem at once", () => {
  expect(problemsOf({ cors: 1, bodyLimit: "1mb", overload: {}, trustProxy: "nonsense" })).toHaveLength(4);
});

it.each(["metrics", "openapi"])(
  "names the package to install for plain %s options, and the code to write",
  (name) => {
    const [problem] = problemsOf({ [name]: { enabled: true } });
    expect(problem).toContain(`/${name}: `);
    expect(problem).toContain(`@decern/${name}`);
    expect(problem).toContain(`import { ${name} } from "@decern/${name}"`);
    expect(problem).toContain(`${name}: ${name}({ enabled: true })`);
  },
);

it.each([null, true, "on"])("refuses %j as a feature, and as profiles", (given) => {
  expect(problemsOf({ metrics: given })).toEqual([expect.stringContaining("@decern/metrics")]);
  expect(problemsOf({ openapi: given })).toEqual([expect.stringContaining("@decern/openapi")]);
  expect(problemsOf({ profiles: given })).toEqual([expect.stringMatching(/^\/profiles: /)]);
});

it("refuses a feature in the place of another", () => {
  expect(problemsOf({ metrics: fakeOpenAPI() })).toEqual([expect.stringMatching(/^\/metrics: /)]);
});

it.each([
  [{ metrics: fakeMetrics("/decisions") }, "/metrics/endpoint"],
  [{ metrics: fakeMetrics("/docs/metrics") }, "/metrics/endpoint"],
  [{ metrics: fakeMetrics("metrics") }, "/metrics/endpoint"],
  [{ metrics: fakeMetrics("/:id") }, "/metrics/endpoint"],
  [{ metrics: fakeMetrics("/a"), openapi: fakeOpenAPI({ endpoint: "/a" }) }, "/openapi/endpoint"],
  [{ openapi: fakeOpenAPI({ endpoint: "/x", swaggerEndpoint: "/x" }) }, "/openapi/swaggerEndpoint"],
  [{ metrics: fakeMetrics("/swagger/json"), openapi: fakeOpenAPI() }, "/metrics/endpoint"],
  [{ metrics: fakeMetrics("/swagger/yaml"), openapi: fakeOpenAPI() }, "/metrics/endpoint"],
  [{ metrics: fakeMetrics("/swagger/static/metrics"), openapi: fakeOpenAPI() }, "/metrics/endpoint"],
  [{ openapi: fakeOpenAPI({ endpoint: "/swagger/json" }) }, "/openapi/endpoint"],
  [{ openapi: fakeOpenAPI({ endpoint: "/a/b/json", swaggerEndpoint: "/a/b" }) }, "/openapi/endpoint"],
])("refuses endpoints that are in use or not a path", (options, path) => {
  expect(problemsOf(options)).toEqual([expect.stringMatching(new RegExp(`^${path}:`))]);
});

it.each([
  [{ metrics: fakeMetrics("/docs/metrics"), docs: false }, ["/docs/metrics"]],
  [{ openapi: fakeOpenAPI({ swaggerEndpoint: "/docs" }), docs: false }, ["/docs", "/docs/json"]],
  [{ metrics: fakeMetrics("/swagger/json"), openapi: fakeOpenAPI({ swaggerUI: false }) }, ["/swagger/json"]],
  [
    {
      metrics: fakeMetrics("/api/metrics"),
      openapi: fakeOpenAPI({ endpoint: "/api/v1", swaggerEndpoint: "/api" }),
    },
    ["/api/metrics", "/api/v1", "/api", "/api/json"],
  ],
])("serves endpoints on free paths: %j", async (options, paths) => {
  const { handler } = createServer({ decisions, profiles, ...options });
  for (const path of paths)
    expect({ path, statusCode: (await handler.inject(path)).statusCode }).toEqual({ path, statusCode: 200 });
});

describe("metrics", () => {
  it("are null when off", async () => {
    const server = createServer({ decisions, profiles, metrics: { ...fakeMetrics(), enabled: false } });
    expect(server.metrics).toBeNull();
    expect((await server.handler.inject("/metrics")).statusCode).toBe(404);
  });

  it("count evaluations, and are served in the requested format", async () => {
    const metrics = fakeMetrics("/internal/metrics");
    const server = createServer({ decisions, profiles, metrics });
    expect(server.metrics).toBe(metrics.collector);
    await server.handler.inject({
      method: "POST",
      url: "/decisions/outcomes",
      payload: { input: { end: "ok" } },
    });
    const reply = await server.handler.inject("/internal/metrics");
    expect({ body: reply.body, contentType: reply.headers["content-type"] }).toEqual({
      body: "evaluations 1\n",
      contentType: "text/plain",
    });
    const other = await server.handler.inject({ url: "/internal/metrics", headers: { accept: "a/b" } });
    expect(other.headers["content-type"]).toBe("a/b");
  });
});

describe("openapi", () => {
  it("is built once, on the first request, from what the server serves", async () => {
    const openapi = fakeOpenAPI();
    const authenticate = apiKeys({ keys: ["k"], header: "X-Key" });
    const server = createServer({
      decisions,
      profiles,
      openapi,
      metrics: fakeMetrics(),
      authenticate,
      profileOverride: false,
      overload: { maxConcurrent: 10 },
    });
    await server.handler.ready();
    expect(openapi.built).toEqual([]);
    const headers = { "x-key": "k" };
    const reply = await server.handler.inject({ url: "/openapi.json", headers });
    const shown = await server.handler.inject({ url: "/swagger/json", headers });
    expect(reply.json()).toMatchObject({ openapi: "3.0.3", "x-ids": ["outcomes", "broken"] });
    expect(shown.json()).toEqual(reply.json());
    expect(openapi.built).toEqual([
      {
        metricsEndpoint: "/metrics",
        openapiEndpoint: "/openapi.json",
        docs: true,
        swaggerEndpoint: "/swagger",
        profileOverride: false,
        sheddingLoad: true,
        records: false,
        explains: false,
        maxBatch: 1000,
        security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: "x-key" } },
        publicMetrics: false,
      },
    ]);
  });

  it("does not describe the docs page when it is off", async () => {
    const openapi = fakeOpenAPI();
    const { handler } = createServer({ decisions, profiles, openapi, docs: false });
    await handler.inject("/openapi.json");
    expect((await handler.inject("/docs")).statusCode).toBe(404);
    expect(openapi.built).toMatchObject([{ docs: false }]);
  });

  it("has a strong entity tag", async () => {
    const { handler } = createServer({ decisions, profiles, openapi: fakeOpenAPI() });
    const first = await handler.inject("/openapi.json");
    const again = await handler.inject({
      url: "/openapi.json",
      headers: { "if-none-match": String(first.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });

  it("is masked and logged when it cannot be built, and retried", async () => {
    const messages: string[] = [];
    let broken = true;
    const fake = fakeOpenAPI();
    const openapi = {
      ...fake,
      buildDocument: (...told: Parameters<typeof fake.buildDocument>) => {
        if (broken) throw new Error("no such dialect");
        return fake.buildDocument(...told);
      },
    };
    const logger = { error: (_details: object, message: string) => void messages.push(message) };
    const { handler } = createServer({ decisions, profiles, openapi, logger });
    const reply = await handler.inject("/openapi.json");
    expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({
      statusCode: 500,
      code: "INTERNAL_ERROR",
    });
    expect(messages).toEqual(["Request failed"]);
    broken = false;
    expect((await handler.inject("/openapi.json")).statusCode).toBe(200);
  });

  it.each(["/swagger", "/api/ui"])(
    "has a page at %s with relative links and strict scripts",
    async (swaggerEndpoint) => {
      const { handler } = createServer({ decisions, profiles, openapi: fakeOpenAPI({ swaggerEndpoint }) });
      for (const path of [swaggerEndpoint, `${swaggerEndpoint}/`]) {
        const page = await handler.inject(path);
        expect({ statusCode: page.statusCode, contentType: page.headers["content-type"] }).toEqual({
          statusCode: 200,
          contentType: "text/html; charset=utf-8",
        });
        const policy = String(page.headers["content-security-policy"]);
        expect(policy).toMatch(/script-src 'self';/);
        expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https:/);
        expect(page.body).not.toMatch(/<script>|\son\w+=/);
        const links = [...page.body.matchAll(/(?:href|src)="(?!data:)([^"]+)"/g)].map(
          ([, link]) => link ?? "",
        );
        expect(links.length).toBeGreaterThan(3);
        expect(page.body).toContain("width=device-width");
        for (const link of links) {
          expect(link).not.toMatch(/^(\/|https?:)/);
          // Behind a proxy that strips a prefix.
          const { pathname } = new URL(link, `http://host/prefix${path}`);
          expect(pathname.startsWith("/prefix/")).toBe(true);
          expect((await handler.inject(pathname.slice("/prefix".length))).statusCode, link).toBe(200);
        }
      }
    },
  );

  it("has no page if the host turns it off", async () => {
    const { handler } = createServer({ decisions, profiles, openapi: fakeOpenAPI({ swaggerUI: false }) });
    expect((await handler.inject("/swagger")).statusCode).toBe(404);
    expect((await handler.inject("/openapi.json")).statusCode).toBe(200);
  });

  it("is not served when it is off", async () => {
    const { handler } = createServer({ decisions, profiles, openapi: fakeOpenAPI({ enabled: false }) });
    expect((await handler.inject("/openapi.json")).statusCode).toBe(404);
  });
});

it("has no docs page if the host turns it off", async () => {
  const { handler } = createServer({ decisions, profiles, docs: false });
  expect((await handler.inject("/docs")).statusCode).toBe(404);
});
