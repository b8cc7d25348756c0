import { type Decision, defineDecision } from "@decern/core";
import type { ErrorRequestHandler, Express } from "express";
import request from "supertest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
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

/** Allows one caller. */
const onlyAda = defineDecision({
  id: "only-ada",
  version: "1.0.0",
  inputSchema: z.object({}),
  outputSchema: z.object({ allowed: z.boolean() }),
  profileSchema: z.object({}),
  rules: [
    {
      id: "by-caller",
      when: () => true,
      emit: (_input, _profile, { caller }) => ({ allowed: caller === "ada" }),
    },
  ],
});

const boom = new Error("boom");
/** What JavaScript callbacks may do. */
const broken: readonly (readonly [string, () => string])[] = [
  [
    "throws",
    () => {
      throw boom;
    },
  ],
  ...["", 0, null, true, {}, []].map(
    (value) => [`returns ${JSON.stringify(value)}`, () => value as string] as const,
  ),
  ["returns half a character", () => "ad\ud800"],
  ["returns a promise", () => Promise.resolve("ada") as unknown as string],
  ["returns a promise that rejects", () => Promise.reject(boom) as unknown as string],
];

describe.each(versions)("caller, $name", ({ express, adapter }) => {
  const ways: Record<
    string,
    (
      app: Express,
      options: { decision: Decision<object, { allowed: boolean }>; caller: () => string },
    ) => unknown
  > = {
    createDecisionRouter: (app, { decision, ...options }) =>
      app.use(adapter.createDecisionRouter({ ...options, decisions: [decision] })),
    createDecisionMiddleware: (app, options) =>
      app.post("/only-ada", adapter.createDecisionMiddleware(options)),
    createDecisionGuard: (app, options) =>
      app.post(
        "/only-ada",
        adapter.createDecisionGuard({ ...options, inputMapper: () => ({}) }),
        (_request, response) => {
          response.json({ data: { allowed: "entered" } });
        },
      ),
  };

  for (const [name, add] of Object.entries(ways)) {
    function host(caller: () => string) {
      const record = recording();
      const handled: unknown[] = [];
      const app = express();
      add(app, { decision: onlyAda, caller, ...record.options });
      const own: ErrorRequestHandler = (error, _request, response, _next) => {
        handled.push(error);
        response.status(500).send("the host's");
      };
      app.use(own);
      return { ...record, handled, send: () => request(app).post("/only-ada").send({}) };
    }

    it(`${name} decides by who asks`, async () => {
      const ada = await host(() => "ada").send();
      expect([ada.status, ada.body.data.allowed !== false]).toEqual([200, true]);
      const { counted, send } = host(() => "bob");
      expect(JSON.stringify((await send()).body)).toMatch(/"allowed":false|ACCESS_DENIED/);
      expect(counted()).toEqual(["OK"]);
    });

    it.each(broken)(`${name} gives it to the host's error handling when caller %s`, async (what, caller) => {
      const { send, handled, errors, counted } = host(caller);
      expect((await send()).text).toBe("the host's");
      expect([errors.length, counted()]).toEqual([1, ["ERROR"]]);
      expect(handled).toEqual([
        what === "throws" ? boom : expect.objectContaining({ code: "INTERNAL_ERROR", statusCode: 500 }),
      ]);
    });
  }
});
