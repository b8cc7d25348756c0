import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { access, loan } from "../../../test/suites/loan-and-access.js";
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

  it("gives errors while writing the reply to the host's error handling", async () => {
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
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 503, body: { message: "broken" } });
  });

  it("runs behind the host's access control", async () => {
    const app = express();
    const requireLogin: RequestHandler = (request, response, next) => {
      if (request.get("authorization") === undefined) response.status(401).json({ error: "login" });
      else next();
    };
    app.use(requireLogin, adapter.createDecisionRouter({ decisions }));
    expect((await post(app, "/loan")).status).toBe(401);
    expect((await post(app, "/loan").set("authorization", "me")).status).toBe(200);
  });

  it("leaves paths below a version, and other methods, to the host", async () => {
    const app = express();
    app.use(adapter.createDecisionRouter({ decisions }));
    app.use((_request, response) => void response.status(418).send("the host's"));
    const path = `/loan/versions/${loan.version}`;
    expect((await post(app, path)).status).toBe(200);
    for (const other of ["/loan/versions", "/loan/versions/", `${path}/`, `${path}/x`])
      expect({ other, status: (await post(app, other)).status }).toEqual({ other, status: 418 });
    expect((await request(app).get(path)).status).toBe(418);
  });

  it("replies VERSION_NOT_FOUND to a version that is not valid percent-encoding", async () => {
    const app = express();
    app.use(adapter.createDecisionRouter({ decisions }));
    const reply = await post(app, "/loan/versions/%zz");
    expect(reply).toMatchObject({ status: 404, body: { code: "VERSION_NOT_FOUND" } });
  });
});
