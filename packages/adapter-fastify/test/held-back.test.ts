import { defineDecision } from "@decern/core";
import fastify, { type FastifyReply } from "fastify";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { oneReplySuite } from "../../../test/suites/one-reply-suite.js";
import { createDecisionHandler, createDecisionHook } from "../src/index.js";
import { fastifyFramework } from "./fastify-framework.js";

oneReplySuite(fastifyFramework);

const decision = defineDecision({
  id: "greeting",
  version: "1.0.0",
  inputSchema: z.unknown(),
  outputSchema: z.string(),
  profileSchema: z.unknown(),
  rules: [{ id: "always", when: () => true, emit: () => "hello" }],
});

/** Replaces `send` of a reply, as a host may. */
type Replace = (reply: FastifyReply) => void;

const ways: readonly (readonly [string, Replace])[] = [
  ["nothing", () => {}],
  [
    "a function that calls the one before",
    (reply) => {
      const { send } = reply;
      reply.send = (...payload) => send.apply(reply, payload);
    },
  ],
  [
    "Fastify's own",
    (reply) => {
      reply.send = Object.getPrototypeOf(reply).send;
    },
  ],
];

describe.each(ways)("a request of two decisions between which the host puts %s", (_name, replace) => {
  /** A guard, then the host's hook, then a handler. */
  async function request(givesUp: boolean) {
    const app = fastify();
    let giveUp = (): void => {};
    const beforeEvaluate = async () => {
      if (givesUp) giveUp();
      await Promise.resolve();
    };
    const sent: unknown[] = [];
    // It holds the first reply back, while the handler is about to send its own.
    app.addHook("onSend", async (_request, _reply, payload) => {
      sent.push(payload);
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
    app.post("/", {
      preHandler: [
        createDecisionHook({ decision, isDenied: () => false }),
        async (_request, reply) => {
          replace(reply);
          giveUp = () => void reply.code(504).send("gave up");
        },
      ],
      handler: createDecisionHandler({ decision, hooks: { beforeEvaluate } }),
    });
    const { statusCode, body } = await app.inject({ method: "POST", url: "/", payload: {} });
    return { statusCode, body, sent };
  }

  it("has the handler's reply", async () => {
    const { statusCode, body, sent } = await request(false);
    expect({ statusCode, data: JSON.parse(body).data }).toEqual({ statusCode: 200, data: "hello" });
    expect(sent).toHaveLength(1);
  });

  it("has the host's reply only, where the host replies first", async () => {
    expect(await request(true)).toEqual({ statusCode: 504, body: "gave up", sent: ["gave up"] });
  });
});
