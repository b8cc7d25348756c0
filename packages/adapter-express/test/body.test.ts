import { gzipSync } from "node:zlib";
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { loan } from "./decisions.js";
import { expressVersions } from "./express-versions.js";

const versions = await expressVersions();

describe.each(versions)("bodies, $name", ({ express, adapter }) => {
  const router = adapter.createDecisionRouter({ decisions: [loan] });
  const raw = (app: Express, body: string | Buffer, type = "application/json") =>
    request(app)
      .post("/loan")
      .set("content-type", type)
      .serialize((text) => text)
      .send(body);
  const ok = { status: "OK" };

  describe("that the host has parsed", () => {
    it("are taken as they are", async () => {
      const app = express().use(express.json(), router);
      expect((await raw(app, '{"score":700}')).body).toMatchObject(ok);
      expect((await raw(app, "{}")).body).toMatchObject({ status: "INVALID_INPUT" });
    });

    it.each(['{"score":700,"__proto__":{}}', '{"score":700,"a":[{"constructor":{"prototype":{}}}]}'])(
      "are searched for forbidden keys: %s",
      async (body) => {
        const app = express().use(express.json(), router);
        const reply = await raw(app, body);
        expect([reply.status, reply.body.code]).toEqual([400, "FORBIDDEN_KEY"]);
      },
    );

    it("fail in the host's parser the host's way", async () => {
      const app = express().use(express.json(), router);
      const own: ErrorRequestHandler = (error, _request, response, _next) => {
        response.status(error.status).send("the host's");
      };
      app.use(own);
      expect((await raw(app, '{"score"')).text).toBe("the host's");
    });

    it("are refused when they were a form, unless an inputMapper takes them", async () => {
      const app = express().use(express.urlencoded({ extended: false }), router);
      const inputMapper = (request: { body: { score: string } }): unknown => ({
        score: Number(request.body.score),
      });
      app.post("/form", adapter.createDecisionMiddleware({ decision: loan, inputMapper }));
      expect((await request(app).post("/loan").type("form").send("score=700")).status).toBe(415);
      expect((await request(app).post("/form").type("form").send("score=700")).body).toMatchObject(ok);
      expect((await raw(app, '{"score":700}')).body).toMatchObject(ok);
    });

    it("may have been put there by something else than a parser", async () => {
      const put: RequestHandler = (request, _response, next) => {
        request.resume();
        request.body = { score: 700 };
        next();
      };
      const app = express().use(put, router);
      expect((await request(app).post("/loan")).body).toMatchObject(ok);
    });

    it("may be typed as another kind of JSON", async () => {
      const app = express().use(express.json({ type: "application/ld+json" }), router);
      expect((await raw(app, '{"score":700}', "application/ld+json")).body).toMatchObject(ok);
    });
  });

  describe("that nobody has parsed", () => {
    const app = express().use(router);

    it("are parsed, compressed ones too", async () => {
      expect((await raw(app, '\uFEFF{"score":700}')).body).toMatchObject(ok);
      const body = gzipSync('{"score":700}');
      expect((await raw(app, body).set("content-encoding", "gzip")).body).toMatchObject(ok);
    });

    it.each([
      ["gzip", 400, "BAD_REQUEST"],
      ["unknown", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ])("are refused when they are not of the encoding %s", async (encoding, status, code) => {
      const reply = await raw(app, '{"score":700}').set("content-encoding", encoding);
      expect([reply.status, reply.body.code]).toEqual([status, code]);
    });

    it("are refused in a charset that nobody knows", async () => {
      const reply = await raw(app, '{"score":700}', "application/json; charset=klingon");
      expect([reply.status, reply.body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    });

    it("stay as long as bodyLimit, inflated", async () => {
      const small = express().use(adapter.createDecisionRouter({ decisions: [loan], bodyLimit: 100 }));
      const long = JSON.stringify({ score: 700, pad: "x".repeat(100) });
      expect((await raw(small, '{"score":700}')).body).toMatchObject(ok);
      expect((await raw(small, long)).body.code).toBe("BODY_TOO_LARGE");
      expect((await raw(small, gzipSync(long)).set("content-encoding", "gzip")).body.code).toBe(
        "BODY_TOO_LARGE",
      );
    });

    it("may be absent: then there is no input", async () => {
      expect((await request(app).post("/loan")).body).toMatchObject({ status: "INVALID_INPUT" });
      const reply = await request(app).post("/loan").set("content-type", "application/json");
      expect([reply.status, reply.body.code]).toEqual([400, "INVALID_JSON"]);
      expect((await raw(app, "").set("content-length", "0")).body.code).toBe("INVALID_JSON");
    });

    it("are not looked for in a GET", async () => {
      const inputMapper = (request: { query: Record<string, unknown> }): unknown => ({
        score: Number(request.query["score"]),
      });
      const app = express().get("/loan", adapter.createDecisionMiddleware({ decision: loan, inputMapper }));
      expect((await request(app).get("/loan?score=700")).body).toMatchObject(ok);
      expect((await request(app).head("/loan?score=700")).status).toBe(200);
    });

    it("are parsed for an inputMapper, and refused when they are malformed", async () => {
      const inputMapper = (request: { body: unknown }): unknown => request.body;
      const app = express().post("/loan", adapter.createDecisionMiddleware({ decision: loan, inputMapper }));
      expect((await raw(app, '{"score":700}')).body).toMatchObject(ok);
      expect((await raw(app, "{")).body.code).toBe("INVALID_JSON");
      expect((await raw(app, "text", "text/plain")).body).toMatchObject({ status: "INVALID_INPUT" });
    });

    it("are no input when there are none, whatever an idle parser of Express 4 put there", async () => {
      const app = express().use(express.json(), router);
      const inputMapper = (request: { body: unknown }): unknown => ({
        score: request.body === undefined ? 1 : 2,
      });
      const seen = adapter.createDecisionMiddleware({ decision: loan, inputMapper });
      app.post("/seen", seen);
      expect((await request(app).post("/loan")).body).toMatchObject({ errors: [{ path: "" }] });
      expect((await request(app).post("/seen")).body).toMatchObject(ok);
    });

    it("are there for who comes after", async () => {
      const app = express();
      const seen: unknown[] = [];
      const onResult = (_result: unknown, request: { body: unknown }): void => void seen.push(request.body);
      app.post("/loan", adapter.createDecisionMiddleware({ decision: loan, onResult }));
      await raw(app, '{"score":700}');
      expect(seen).toEqual([{ score: 700 }]);
    });
  });
});
