import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { access, loan } from "./decisions.js";
import { expressVersions } from "./express-versions.js";

const versions = await expressVersions();
const decisions = [loan, access] as const;

describe.each(versions)("createDecisionRouter, $name", ({ express, adapter }) => {
  const post = (app: Express, path: string, body: object = { score: 700 }) =>
    request(app).post(path).send(body);

  it("makes a router of the application's own Express", () => {
    const router = adapter.createDecisionRouter({ decisions });
    // Express 4's has a field more.
    expect(Object.keys(router)).toEqual(Object.keys(express.Router()));
  });

  it.each([
    [undefined, ""],
    ["", ""],
    ["/", ""],
    ["x", "/x"],
    ["/x", "/x"],
    ["/x/", "/x"],
    ["x/y.z", "/x/y.z"],
  ])("serves at <mount>/<prefix>/<id> for the prefix %j", async (prefix, path) => {
    const app = express().use("/api", adapter.createDecisionRouter({ decisions, prefix }));
    expect((await post(app, `/api${path}/loan`)).body).toMatchObject({ status: "OK" });
    expect((await post(app, `/api${path}/access.v1~beta`, { role: "admin" })).body).toMatchObject({
      status: "OK",
    });
    expect((await post(app, `/api${path}/unknown`)).status).toBe(404);
  });

  it.each(["/Loan", "/loan/", "/loan/x", "/accessXv1~beta"])("leaves %s to the host", async (path) => {
    const app = express();
    app.use(adapter.createDecisionRouter({ decisions }));
    app.use((_request, response) => void response.status(418).send("the host's"));
    expect((await post(app, path)).status).toBe(418);
  });

  it("leaves other methods to the host", async () => {
    const app = express();
    app.use(adapter.createDecisionRouter({ decisions }));
    app.get("/loan", (_request, response) => void response.send("a form"));
    expect((await request(app).get("/loan")).text).toBe("a form");
    expect((await request(app).put("/loan").send({})).status).toBe(404);
  });

  it("works nested, more than once, and behind the host's middleware", async () => {
    const app = express();
    const order: string[] = [];
    const log =
      (name: string): RequestHandler =>
      (_request, _response, next) => {
        order.push(name);
        next();
      };
    const inner = express
      .Router()
      .use(log("inner"), adapter.createDecisionRouter({ decisions, prefix: "d" }));
    app.use("/a", log("outer"), express.Router().use("/b", inner));
    app.use("/strict", adapter.createDecisionRouter({ decisions, profiles: { loan: { minScore: 999 } } }));
    expect((await post(app, "/a/b/d/loan")).body).toMatchObject({ meta: { matchedRule: "standard" } });
    expect((await post(app, "/strict/loan")).body).toMatchObject({ meta: { matchedRule: "too-low" } });
    expect(order).toEqual(["outer", "inner"]);
  });

  it("gives what breaks while the reply is written to the host's error handling", async () => {
    const app = express();
    app.use((_request, response, next) => {
      const end = response.end.bind(response);
      response.end = () => {
        response.end = end;
        throw new Error("broken");
      };
      next();
    });
    app.use(adapter.createDecisionRouter({ decisions }));
    const handle: ErrorRequestHandler = (error, _request, response, _next) =>
      void response.status(503).json({ message: error.message });
    app.use(handle);
    const reply = await post(app, "/loan");
    expect([reply.status, reply.body]).toEqual([503, { message: "broken" }]);
  });

  it("protects what the host protects", async () => {
    const app = express();
    const requireLogin: RequestHandler = (request, response, next) => {
      if (request.get("authorization") === undefined) response.status(401).json({ error: "login" });
      else next();
    };
    app.use(requireLogin, adapter.createDecisionRouter({ decisions }));
    expect((await post(app, "/loan")).status).toBe(401);
    expect((await post(app, "/loan").set("authorization", "me")).status).toBe(200);
  });

  it.each([
    [{ decisions, prefix: "/:tenant" }, "/prefix"],
    [{ decisions, profiles: { lone: {} } }, "/profiles/lone"],
    [{ decisions, profiles: { loan: { minScore: "x" } } }, "/profiles/loan"],
    [{ decisions: [loan, loan] }, "/decisions/1"],
    [{ decisions, profile: {} }, "/profile"],
    [{}, "/decisions"],
  ])("refuses the options %#", (options, path) => {
    // JavaScript hosts can write these.
    const given = options as unknown as Parameters<typeof adapter.createDecisionRouter>[0];
    expect(() => adapter.createDecisionRouter(given)).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTIONS",
        problems: expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining(path) })]),
      }),
    );
  });
});
