import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { createDecisionHandler, createDecisionHook, decisionPlugin } from "../src/index.js";
import { access } from "./decisions.js";
import { recording } from "./recording.js";

const inputMapper = () => ({ role: "admin" });

/** An application whose replies leave later, as with sessions that are kept first. */
function host() {
  const app = Fastify();
  const handled: unknown[] = [];
  app.addHook("onSend", () => new Promise((resolve) => setTimeout(resolve, 20)));
  app.setErrorHandler((error, _request, reply) => {
    handled.push(error);
    return reply.code(500).send("the host's");
  });
  return { app, handled };
}

describe("a reply that an onSend hook holds back", () => {
  it.each(["plugin", "handler", "hook"])(
    "stands when the host gave up on the %s, which finishes later",
    async (kind) => {
      for (const fails of [false, true]) {
        const { app, handled } = host();
        const { options } = recording();
        let giveUp = (): void => {};
        const hooks = {
          // As a time-out of the host's, which comes while the hook is waited for.
          beforeEvaluate: async () => {
            await Promise.resolve();
            giveUp();
            if (fails) throw new Error("boom");
          },
        };
        app.addHook("onRequest", async (_request: FastifyRequest, reply: FastifyReply) => {
          giveUp = () => void reply.code(504).send("gave up");
        });
        let ran = false;
        if (kind === "plugin") {
          await app.register(decisionPlugin, { ...options, hooks, decisions: [access] });
        } else if (kind === "handler") {
          app.post(
            `/${access.id}`,
            createDecisionHandler({ ...options, hooks, decision: access, inputMapper }),
          );
        } else {
          const preHandler = createDecisionHook({ ...options, hooks, decision: access, inputMapper });
          app.post(`/${access.id}`, { preHandler }, async () => {
            ran = true;
            return "in";
          });
        }
        const answer = await app.inject({ method: "POST", url: `/${access.id}`, body: { role: "admin" } });
        expect([answer.statusCode, answer.body, ran, handled]).toEqual([504, "gave up", false, []]);
        expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
      }
    },
  );
});
