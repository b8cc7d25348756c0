import { once } from "node:events";
import { get } from "node:http";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { guardSuite } from "../../../test/suites/guard-suite.js";
import { access } from "../../../test/suites/loan-and-access.js";
import { expressFrameworks } from "./express-framework.js";
import { expressVersions } from "./express-versions.js";

for (const framework of expressFrameworks) guardSuite(framework);

describe.each(await expressVersions())("createDecisionGuard, $name", ({ express, adapter }) => {
  it.each([
    ["/reports", "/reports"],
    ["/reports/", "/reports/"],
    ["/reports?to=/public", "/reports"],
    ["/reports/%61ll/a%2Fb", "/reports/all/a%2Fb"],
    ["/old/all", "/reports/all"],
    ["http://example.com/reports/%61ll?x", "/reports/all"],
  ])("tells hooks the version, and the path as Express routes it: %s", async (target, path) => {
    const seen: unknown[] = [];
    const app = express();
    app.use((incoming, _response, next) => {
      incoming.url = incoming.url.replace(/^\/old\//, "/reports/");
      next();
    });
    const guard = adapter.createDecisionGuard({
      decision: access,
      inputMapper: () => ({ role: "admin" }),
      hooks: {
        beforeEvaluate: ({ decisionVersion, selectedBy, request: { path } = {} }) =>
          void seen.push([decisionVersion, selectedBy, path]),
      },
    });
    app.use("/reports", guard, (_request, response) => void response.send("the report"));
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    // `fetch` and supertest send no absolute targets.
    const [reply] = await once(get({ host: "127.0.0.1", port, path: target, agent: false }), "response");
    reply.resume();
    server.close();
    expect({ statusCode: reply.statusCode, seen }).toEqual({
      statusCode: 200,
      seen: [[access.version, "default", path]],
    });
  });

  it("takes the parsed body when there is no inputMapper, and finds forbidden keys in it", async () => {
    const app = express().use(express.json());
    const entered: unknown[] = [];
    app.post("/", adapter.createDecisionGuard({ decision: access }), (request, response) => {
      entered.push(request.body);
      response.send("in");
    });
    const send = (body: string) =>
      request(app)
        .post("/")
        .set("content-type", "application/json")
        .serialize((text) => text)
        .send(body);
    expect((await send('{"role":"admin"}')).text).toBe("in");
    expect((await send('{"role":"guest"}')).status).toBe(403);
    expect((await send('{"role":"admin","__proto__":{}}')).status).toBe(400);
    expect(entered).toEqual([{ role: "admin" }]);
  });

  it("leaves a parsed body alone that its inputMapper does not need", async () => {
    const app = express().use(express.json());
    const guard = adapter.createDecisionGuard({ decision: access, inputMapper: () => ({ role: "admin" }) });
    app.post("/", guard, (_request, response) => void response.send("in"));
    const reply = await request(app).post("/").type("json").send('{"__proto__":{}}');
    expect(reply.text).toBe("in");
  });

  it("doesn't read the body, so that the next handler can", async () => {
    const app = express();
    app.post("/", adapter.createDecisionGuard({ decision: access, inputMapper: () => ({ role: "admin" }) }));
    app.post("/", express.text(), (request, response) => void response.send(request.body));
    expect((await request(app).post("/").type("text").send("untouched")).text).toBe("untouched");
  });
});
