import { type Decision, defineDecision } from "@decern/core";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createDecisionHandler,
  createDecisionHook,
  createDecisionRoute,
  decisionPlugin,
} from "../src/index.js";
import { recording } from "./recording.js";

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

describe("caller", () => {
  const open: FastifyInstance[] = [];
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close();
  });

  const ways: Record<
    string,
    (
      app: FastifyInstance,
      options: { decision: Decision<object, { allowed: boolean }>; caller: () => string },
    ) => unknown
  > = {
    decisionPlugin: (app, { decision, ...options }) =>
      app.register(decisionPlugin, { ...options, decisions: [decision] }),
    createDecisionHandler: (app, options) => app.post("/only-ada", createDecisionHandler(options)),
    createDecisionRoute: (app, options) => app.route(createDecisionRoute({ ...options, url: "/only-ada" })),
    createDecisionHook: (app, options) =>
      app.post(
        "/only-ada",
        { preHandler: createDecisionHook({ ...options, inputMapper: () => ({}) }) },
        async () => ({
          data: { allowed: "entered" },
        }),
      ),
  };

  for (const [name, add] of Object.entries(ways)) {
    async function host(caller: () => string) {
      const record = recording();
      const handled: unknown[] = [];
      const app = Fastify();
      open.push(app);
      app.setErrorHandler((error, _request, reply) => {
        handled.push(error);
        return reply.code(500).send("the host's");
      });
      await add(app, { decision: onlyAda, caller, ...record.options });
      return { ...record, handled, send: () => app.inject({ method: "POST", url: "/only-ada", body: {} }) };
    }

    it(`${name} decides by who asks`, async () => {
      const ada = await (await host(() => "ada")).send();
      expect([ada.statusCode, ada.json().data.allowed !== false]).toEqual([200, true]);
      const { counted, send } = await host(() => "bob");
      expect((await send()).body).toMatch(/"allowed":false|ACCESS_DENIED/);
      expect(counted()).toEqual(["OK"]);
    });

    it.each(broken)(`${name} gives it to the host's error handling when caller %s`, async (what, caller) => {
      const { send, handled, errors, counted } = await host(caller);
      expect((await send()).body).toBe("the host's");
      expect([errors.length, counted()]).toEqual([1, ["ERROR"]]);
      expect(handled).toEqual([
        what === "throws" ? boom : expect.objectContaining({ code: "INTERNAL_ERROR", statusCode: 500 }),
      ]);
    });
  }
});
