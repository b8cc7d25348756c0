import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { guardSuite } from "../../../test/suites/guard-suite.js";
import { access } from "../../../test/suites/loan-and-access.js";
import { createDecisionHook } from "../src/index.js";
import { fastifyFramework } from "./fastify-framework.js";

guardSuite(fastifyFramework);

describe("createDecisionHook", () => {
  it.each([
    ["/reports/all", "/reports/all"],
    ["/re%70orts/%61ll?to=/public", "/reports/all"],
    ["/reports/a%2fb", "/reports/a%2Fb"],
    ["/old/all", "/reports/all"],
  ])("tells hooks the version, and the path as Fastify routes it: %s", async (url, path) => {
    const seen: unknown[] = [];
    const app = Fastify({ rewriteUrl: (request) => String(request.url).replace(/^\/old\//, "/reports/") });
    const preHandler = createDecisionHook({
      decision: access,
      inputMapper: () => ({ role: "admin" }),
      hooks: {
        beforeEvaluate: ({ decisionVersion, selectedBy, request }) =>
          void seen.push([decisionVersion, selectedBy, request?.path]),
      },
    });
    app.get("/reports/:which", { preHandler }, async () => "the report");
    expect((await app.inject({ url })).statusCode).toBe(200);
    expect(seen).toEqual([[access.version, "default", path]]);
  });

  it("takes the body if there is no inputMapper", async () => {
    const app = Fastify();
    app.post("/", { preHandler: createDecisionHook({ decision: access }) }, async () => "in");
    const send = (body: object) => app.inject({ method: "POST", url: "/", body });
    expect((await send({ role: "admin" })).body).toBe("in");
    expect((await send({ role: "guest" })).statusCode).toBe(403);
    expect((await app.inject({ method: "POST", url: "/" })).statusCode).toBe(403);
  });

  it("guards every route of an instance when it is added as a hook", async () => {
    const app = Fastify();
    await app.register(async (inner) => {
      inner.addHook(
        "preHandler",
        createDecisionHook({
          decision: access,
          inputMapper: ({ headers }): unknown => ({ role: headers["x-role"] }),
        }),
      );
      inner.get("/inside", async () => "in");
    });
    app.get("/outside", async () => "out");
    expect((await app.inject({ url: "/inside" })).statusCode).toBe(403);
    expect((await app.inject({ url: "/inside", headers: { "x-role": "admin" } })).body).toBe("in");
    expect((await app.inject({ url: "/outside" })).body).toBe("out");
  });
});
