import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import request from "supertest";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { gate, turn } from "../../../test/suites/gate.js";
import { loan } from "./decisions.js";
import { expressVersions } from "./express-versions.js";
import { recording } from "./recording.js";

const versions = await expressVersions();
const unhandled: unknown[] = [];
const collect = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", collect));
afterAll(() => {
  process.off("unhandledRejection", collect);
  expect(unhandled).toEqual([]);
});

const never = (): Promise<never> => new Promise(() => {});
const boom = new Error("boom");
const throws = (): never => {
  throw boom;
};

describe.each(versions)("createDecisionMiddleware, $name", ({ express, adapter }) => {
  type Options = Parameters<
    typeof adapter.createDecisionMiddleware<
      { approved: boolean; rate: number },
      { minScore?: number | undefined }
    >
  >[0];

  function host(options: Partial<Options>, ...before: RequestHandler[]) {
    const record = recording();
    const handled: unknown[] = [];
    const app = express();
    app.post(
      "/apply",
      ...before,
      adapter.createDecisionMiddleware({ decision: loan, ...record.options, ...options }),
      (_request, response) => void response.send("the handler behind"),
    );
    const own: ErrorRequestHandler = (error, request, response, next) => {
      handled.push([error, request.decision?.status]);
      if (response.headersSent) next(error);
      else response.status(error.statusCode ?? 500).send("the host's");
    };
    app.use(own);
    const send = (body: unknown = { score: 700 }) =>
      request(app)
        .post("/apply")
        .send(body as object);
    return { ...record, handled, app, send };
  }

  it("replies, and doesn't run later handlers", async () => {
    expect((await host({}).send()).body).toMatchObject({ status: "OK", data: { approved: true } });
    expect((await host({}).send({ score: "x" })).status).toBe(400);
  });

  it("takes a fixed profile, or one for the request", async () => {
    const fixed = await host({ profile: { minScore: 800 } }).send();
    expect(fixed.body.meta.matchedRule).toBe("too-low");
    const tenant: RequestHandler = (request, _response, next) => {
      Object.assign(request, { limit: 750 });
      next();
    };
    for (const profileResolver of [
      (request: Request) => ({ minScore: Number(Reflect.get(request, "limit")) }),
      async (request: Request) => ({ minScore: Number(Reflect.get(request, "limit")) }),
    ]) {
      const resolved = await host({ profileResolver }, tenant).send();
      expect(resolved.body.meta.matchedRule).toBe("too-low");
    }
  });

  it.each([
    ["inputMapper throws", { inputMapper: throws }],
    ["inputMapper rejects", { inputMapper: () => Promise.reject(boom) }],
    ["profileResolver throws", { profileResolver: throws }],
    ["profileResolver rejects", { profileResolver: () => Promise.reject(boom) }],
    ["both reject", { inputMapper: () => Promise.reject(boom), profileResolver: () => Promise.reject(boom) }],
    [
      "one rejects, one throws",
      { inputMapper: () => Promise.reject(new Error("late")), profileResolver: throws },
    ],
  ])("gives the host's error handling the thrown error when %s", async (_name, options: Partial<Options>) => {
    const { send, handled, errors, counted } = host(options);
    const reply = await send().set("x-request-id", "mine");
    expect([reply.text, reply.headers["x-request-id"]]).toEqual(["the host's", "mine"]);
    expect(handled).toEqual([[boom, undefined]]);
    expect([errors, counted()]).toEqual([[boom], ["ERROR"]]);
  });

  it.each([undefined, null, 0, "", "route", "router", { status: 200 }])(
    "wraps a thrown %j, which Express would misread, in an error",
    async (thrown) => {
      const { send, handled, errors, counted } = host({ profileResolver: () => Promise.reject(thrown) });
      const told = thrown === undefined ? expect.objectContaining({ code: "INTERNAL_ERROR" }) : thrown;
      expect([(await send()).text, errors, counted()]).toEqual(["the host's", [told], ["ERROR"]]);
      expect(handled).toEqual([
        [expect.objectContaining({ code: "INTERNAL_ERROR", cause: thrown }), undefined],
      ]);
    },
  );

  it("times out callbacks that never settle", async () => {
    for (const options of [{ inputMapper: never }, { profileResolver: never }]) {
      const { send, handled, errors, counted } = host({ ...options, hookTimeoutMs: 20 });
      expect([(await send()).status, errors.length, counted()]).toEqual([503, 1, ["ERROR"]]);
      expect(handled).toEqual([[expect.objectContaining({ code: "HOOK_TIMEOUT" }), undefined]]);
    }
  });

  it("hands an error of the clock to the host's error handling", async () => {
    const { send, handled } = host({ clock: { now: throws, monotonic: () => 0 } });
    expect([(await send()).text, handled]).toEqual(["the host's", [[boom, undefined]]]);
  });

  it("blames the host for a resolved profile that breaks its schema", async () => {
    const profileResolver = () => JSON.parse('{"minScore":"x"}');
    const { send, handled, errors, counted } = host({ profileResolver });
    expect([(await send()).text, errors.length, counted()]).toEqual(["the host's", 1, ["ERROR"]]);
    expect(handled).toEqual([[expect.objectContaining({ code: "INVALID_HOST_PROFILE" }), undefined]]);
  });

  it("leaves the masking of the host's faults to the host, as Express does in production", async () => {
    const record = recording();
    const app = express().set("env", "production");
    app.post(
      "/",
      adapter.createDecisionMiddleware({ decision: loan, ...record.options, profileResolver: throws }),
    );
    const silenced = vi.spyOn(console, "error").mockImplementation(() => {});
    const reply = await request(app).post("/").send({ score: 700 });
    // Express logs after its reply.
    await expect.poll(() => silenced.mock.calls).toHaveLength(1);
    silenced.mockRestore();
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain("boom");
  });

  describe("onResult", () => {
    it("runs before the reply, with the result also at the request, and may add headers", async () => {
      const seen: unknown[] = [];
      const { send } = host({
        onResult: async (result, request, response) => {
          await Promise.resolve();
          seen.push([result.status, request.decision === result, response.headersSent]);
          response.setHeader("x-own", "1");
        },
      });
      const reply = await send();
      expect([reply.status, reply.headers["x-own"], seen]).toEqual([200, "1", [["OK", true, false]]]);
    });

    it("does not run on a fault", async () => {
      const onResult = vi.fn();
      expect((await host({ onResult }).send({ score: 13 })).status).toBe(500);
      expect(onResult).not.toHaveBeenCalled();
    });

    it.each([
      ["throws", throws],
      ["rejects", () => Promise.reject(boom)],
    ])("that %s goes to the host's error handling, and is not counted again", async (_name, onResult) => {
      const { send, handled, errors, counted } = host({ onResult });
      expect([(await send()).text, errors, counted()]).toEqual(["the host's", [boom], ["OK"]]);
      expect(handled).toEqual([[boom, "OK"]]);
    });

    it("that never settles times out", async () => {
      const { send, handled, errors, counted } = host({ onResult: never, hookTimeoutMs: 20 });
      expect([(await send()).status, errors.length, counted()]).toEqual([503, 1, ["OK"]]);
      expect(handled).toHaveLength(1);
    });

    it("that returns nonsense changes nothing", async () => {
      const { send } = host({ onResult: () => ({ status: "HACKED" }) });
      expect((await send()).body.status).toBe("OK");
    });

    const file = fileURLToPath(import.meta.url);
    const ways: readonly (readonly [string, (response: Response) => unknown, string])[] = [
      ["json", (response) => response.status(202).json("own"), '"own"'],
      ["end", (response) => response.status(202).end("own"), "own"],
      ["a promise", async (response) => response.status(202).send("own"), "own"],
      [
        "sendFile",
        (response) => response.status(202).sendFile(file),
        'import { Readable } from "node:stream";',
      ],
      ["render", (response) => response.status(202).render("view"), "rendered"],
      ["a stream", (response) => void Readable.from(["own"]).pipe(response.status(202)), "own"],
      ["a redirect", (response) => response.redirect(302, "/elsewhere"), ""],
    ];
    it.each(ways)("that has sent a reply itself, by %s, is left alone", async (_name, reply, text) => {
      const { app, send, handled, errors } = host({
        onResult: (_result, _request, response) => void reply(response),
      });
      app.engine("txt", (_path, _options, done) => setTimeout(done, 5, null, "rendered"));
      app.set("view engine", "txt").set("views", fileURLToPath(new URL("views", import.meta.url)));
      const answer = await send().buffer(true).redirects(0);
      expect([202, 302]).toContain(answer.status);
      expect(answer.text ?? answer.body.toString()).toContain(text);
      expect([handled, errors]).toEqual([[], []]);
    });

    it("that has sent a reply and then throws: the reply stands, the error is reported", async () => {
      const { send, handled, errors, counted, logged } = host({
        onResult: (_result, _request, response) => {
          response.status(202).json("own");
          throw boom;
        },
      });
      const answer = await send();
      expect([answer.status, answer.body]).toEqual([202, "own"]);
      expect([handled, errors, counted(), logged]).toEqual([[], [boom], ["OK"], [boom]]);
    });
  });

  it("sends nothing if the host has replied in the meantime", async () => {
    for (const end of [() => ({ minScore: 1 }), throws]) {
      const replied = gate();
      const profileResolver = () => replied.opened.then(end);
      const replyFirst: RequestHandler = (_request, response, next) => {
        next();
        response.status(504).send("too slow");
      };
      const { send, handled, counted } = host({ profileResolver }, replyFirst);
      expect((await send()).status).toBe(504);
      replied.open();
      await expect.poll(counted).toHaveLength(1);
      await turn();
      expect(handled).toEqual([]);
    }
  });

  it.each([
    [{ profile: {}, profileResolver: () => ({}) }, /profile and profileResolver contradict/],
    [{ profile: { minScore: "x" } }, /profile/],
    [{ onDeny: () => {} }, /onDeny/],
    [{ onResult: 1, inputMapper: "body" }, /inputMapper: must be a function/],
    [{ decision: undefined }, /decision/],
    [{ decision: { id: "x" } }, /defineDecision/],
  ])("refuses the options %#", (options, message) => {
    // JavaScript hosts can write these.
    const given = { decision: loan, ...options } as unknown as Options;
    expect(() => adapter.createDecisionMiddleware(given)).toThrow(message);
    expect(() => adapter.createDecisionMiddleware(given)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTIONS" }),
    );
  });
});
