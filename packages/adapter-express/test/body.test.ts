import { gzipSync } from "node:zlib";
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { loan } from "../../../test/suites/loan-and-access.js";
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
    it("are used as they are", async () => {
      const app = express().use(express.json(), router);
      expect((await raw(app, '{"score":700}')).body).toMatchObject(ok);
      expect((await raw(app, "{}")).body).toMatchObject({ status: "INVALID_INPUT" });
    });

    it.each(['{"score":700,"__proto__":{}}', '{"score":700,"a":[{"constructor":{"prototype":{}}}]}'])(
      "are searched for forbidden keys: %s",
      async (body) => {
        const app = express().use(express.json(), router);
        const reply = await raw(app, body);
        expect(reply).toMatchObject({ status: 400, body: { code: "FORBIDDEN_KEY" } });
      },
    );

    it("go to the host's error handling if the host's parser fails", async () => {
      const app = express().use(express.json(), router);
      const own: ErrorRequestHandler = (error, _request, response, _next) => {
        response.status(error.status).send("the host's");
      };
      app.use(own);
      expect((await raw(app, '{"score"')).text).toBe("the host's");
    });

    it("are refused if they were a form, unless an inputMapper reads them", async () => {
      const app = express().use(express.urlencoded({ extended: false }), router);
      const inputMapper = (request: { body: { score: string } }): unknown => ({
        score: Number(request.body.score),
      });
      app.post("/form", adapter.createDecisionMiddleware({ decision: loan, inputMapper }));
      expect((await request(app).post("/loan").type("form").send("score=700")).status).toBe(415);
      expect((await request(app).post("/form").type("form").send("score=700")).body).toMatchObject(ok);
      expect((await raw(app, '{"score":700}')).body).toMatchObject(ok);
    });

    it("may have been set by middleware other than a parser", async () => {
      const put: RequestHandler = (request, _response, next) => {
        request.resume();
        request.body = { score: 700 };
        next();
      };
      const app = express().use(put, router);
      expect((await request(app).post("/loan")).body).toMatchObject(ok);
    });

    it("may have another JSON media type", async () => {
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

    it("are parsed, also when they come in chunks without a length", async () => {
      const chunked = request(app).post("/loan").set("content-type", "application/json");
      chunked.write('{"score"');
      chunked.write(":700}");
      expect((await chunked).body).toMatchObject(ok);
    });

    it.each([
      ["application/json", 200],
      ["Application/JSON; charset=utf-8", 200],
      ["application/json ;charset=utf-8", 200],
      ["application/jsonp", 415],
      ["application/json-seq", 415],
      ["text/application/json", 415],
    ])("are taken by their type: %s makes %i", async (type, status) => {
      expect((await raw(app, '{"score":700}', type)).status).toBe(status);
    });

    it.each([
      ["gzip", 400, "BAD_REQUEST"],
      ["unknown", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ])("are refused when they are not of the encoding %s", async (encoding, status, code) => {
      const reply = await raw(app, '{"score":700}').set("content-encoding", encoding);
      expect(reply).toMatchObject({ status, body: { code } });
    });

    it("are refused in an unknown charset", async () => {
      const reply = await raw(app, '{"score":700}', "application/json; charset=klingon");
      expect(reply).toMatchObject({ status: 415, body: { code: "UNSUPPORTED_MEDIA_TYPE" } });
    });

    it("are limited to bodyLimit after decompression", async () => {
      const small = express().use(adapter.createDecisionRouter({ decisions: [loan], bodyLimit: 100 }));
      const long = JSON.stringify({ score: 700, pad: "x".repeat(100) });
      expect((await raw(small, '{"score":700}')).body).toMatchObject(ok);
      expect((await raw(small, long)).body.code).toBe("BODY_TOO_LARGE");
      expect((await raw(small, gzipSync(long)).set("content-encoding", "gzip")).body.code).toBe(
        "BODY_TOO_LARGE",
      );
    });

    it("may have a mebibyte unless bodyLimit says otherwise, and not a byte more", async () => {
      const sized = (bytes: number): string => `{"score":700,"pad":"${"x".repeat(bytes - 22)}"}`;
      expect(sized(1024 * 1024)).toHaveLength(1024 * 1024);
      expect((await raw(app, sized(1024 * 1024))).body).toMatchObject(ok);
      expect((await raw(app, sized(1024 * 1024 + 1))).body.code).toBe("BODY_TOO_LARGE");
    });

    it("may be absent, which means that there is no input", async () => {
      expect((await request(app).post("/loan")).body).toMatchObject({ status: "INVALID_INPUT" });
      const reply = await request(app).post("/loan").set("content-type", "application/json");
      expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_JSON" } });
      expect((await raw(app, "").set("content-length", "0")).body.code).toBe("INVALID_JSON");
    });

    it("are not read from a GET request", async () => {
      const inputMapper = (request: { query: Record<string, unknown> }): unknown => ({
        score: Number(request.query["score"]),
      });
      const app = express().get("/loan", adapter.createDecisionMiddleware({ decision: loan, inputMapper }));
      expect((await request(app).get("/loan?score=700")).body).toMatchObject(ok);
      expect((await request(app).head("/loan?score=700")).status).toBe(200);
      const typed = { "content-type": "application/json" };
      expect((await request(app).get("/loan?score=700").set(typed)).body).toMatchObject(ok);
      expect((await request(app).head("/loan?score=700").set(typed)).status).toBe(200);
    });

    it("are parsed for an inputMapper, and refused when they are malformed", async () => {
      const inputMapper = (request: { body: unknown }): unknown => request.body;
      const app = express().post("/loan", adapter.createDecisionMiddleware({ decision: loan, inputMapper }));
      expect((await raw(app, '{"score":700}')).body).toMatchObject(ok);
      expect((await raw(app, "{")).body.code).toBe("INVALID_JSON");
      expect((await raw(app, "text", "text/plain")).body).toMatchObject({ status: "INVALID_INPUT" });
    });

    it("are not mistaken for the empty object that an idle parser of Express 4 sets", async () => {
      const app = express().use(express.json(), router);
      const inputMapper = (request: { body: unknown }): unknown => ({
        score: request.body === undefined ? 1 : 2,
      });
      const seen = adapter.createDecisionMiddleware({ decision: loan, inputMapper });
      app.post("/seen", seen);
      expect((await request(app).post("/loan")).body).toMatchObject({ errors: [{ path: "" }] });
      expect((await request(app).post("/seen")).body).toMatchObject(ok);
    });

    it("are at the request for later code", async () => {
      const app = express();
      const seen: unknown[] = [];
      const onResult = (_result: unknown, request: { body: unknown }): void => void seen.push(request.body);
      app.post("/loan", adapter.createDecisionMiddleware({ decision: loan, onResult }));
      await raw(app, '{"score":700}');
      expect(seen).toEqual([{ score: 700 }]);
    });
  });
});
