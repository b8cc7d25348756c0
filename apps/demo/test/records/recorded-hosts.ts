import { createServer as createHttpServer } from "node:http";
import { createDecisionGuard, createDecisionMiddleware, createDecisionRouter } from "@decern/adapter-express";
import { createDecisionHandler, createDecisionHook, decisionPlugin } from "@decern/adapter-fastify";
import { type DecisionLog, defineDecision, type Logger } from "@decern/core";
import { createServer } from "@decern/server";
import express, { type Express } from "express";
import Fastify, { type FastifyInstance } from "fastify";
import { z } from "zod";
import { listening } from "../support/listening.js";

/** A score that {@link access} uses. */
export const score = defineDecision({
  id: "score",
  version: "1.0.0",
  inputSchema: z.object({ role: z.string() }),
  outputSchema: z.object({ points: z.number() }),
  profileSchema: z.object({ bonus: z.number().default(1) }),
  rules: [{ id: "any", when: () => true, emit: ({ role }, { bonus }) => ({ points: role.length + bonus }) }],
});

/** Its role says how an evaluation ends. */
export function access(version: string) {
  return defineDecision({
    id: "access",
    version,
    inputSchema: z.object({ role: z.string() }),
    outputSchema: z.object({ allowed: z.boolean(), points: z.number() }),
    profileSchema: z.object({ limit: z.number().default(100) }),
    uses: [score],
    rules: [
      {
        id: "broken",
        when: ({ role }) => {
          if (role === "broken") throw new Error("secret of the rule");
          return false;
        },
        emit: () => ({ allowed: false, points: 0 }),
      },
      {
        id: "known",
        when: ({ role }) => role === "admin" || role === "guest",
        emit: ({ role }, _profile, context) => {
          const used = context.evaluate(score, { role });
          return { allowed: role === "admin", points: used.status === "OK" ? used.data.points : 0 };
        },
        explain: ({ role }) => `Role ${role} is known`,
      },
    ],
  });
}

export const silent: Logger = { error: () => {} };

/** A reply of a host. */
interface Answer {
  readonly status: number;
  readonly recordId: string | null;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** Asks a host about a role. */
export interface AskedHost {
  ask(role: string): Promise<Answer>;
  close(): Promise<unknown>;
}

const options = (log: DecisionLog) => ({ log, logger: silent });
const one = (log: DecisionLog) => ({ decision: access("1.0.0"), ...options(log) });
const several = (log: DecisionLog) => ({ decisions: [access("1.0.0")], ...options(log) });

/** Every way in which the hosts answer. */
export const hosts: Readonly<Record<string, (log: DecisionLog) => Promise<AskedHost>>> = {
  "the server": (log) => overFastify(createServer(several(log)).handler, "/decisions/access", true),
  "the docs page": (log) => overFastify(createServer(several(log)).handler, "/docs/decisions/access", true),
  "the Express router": (log) => {
    const app = express();
    app.use("/api", createDecisionRouter({ ...several(log), prefix: "decisions" }));
    return overExpress(app, "/api/decisions/access");
  },
  "the Express middleware": (log) => {
    const app = express();
    app.post("/ask", createDecisionMiddleware(one(log)));
    return overExpress(app, "/ask");
  },
  "the Express guard": (log) => {
    const app = express();
    app.post("/ask", express.json(), createDecisionGuard(one(log)), (_request, response) => {
      response.json({ let: "in" });
    });
    return overExpress(app, "/ask");
  },
  "the Fastify plugin": async (log) => {
    const app = Fastify();
    await app.register(decisionPlugin, { ...several(log), prefix: "/decisions" });
    return overFastify(app, "/decisions/access");
  },
  "the Fastify handler": async (log) => {
    const app = Fastify();
    app.post("/ask", createDecisionHandler(one(log)));
    return overFastify(app, "/ask");
  },
  "the Fastify hook": async (log) => {
    const app = Fastify();
    app.post("/ask", { preHandler: createDecisionHook(one(log)) }, async () => ({ let: "in" }));
    return overFastify(app, "/ask");
  },
};

async function overFastify(app: FastifyInstance, url: string, isWrapped = false): Promise<AskedHost> {
  return {
    ask: async (role) => {
      const payload = isWrapped ? { input: { role } } : { role };
      const { statusCode, headers, body } = await app.inject({ method: "POST", url, payload });
      const text = (name: string): string | null => headers[name]?.toString() ?? null;
      return {
        status: statusCode,
        recordId: text("decern-record-id"),
        retryAfter: text("retry-after"),
        body,
      };
    },
    close: () => app.close(),
  };
}

async function overExpress(app: Express, path: string): Promise<AskedHost> {
  const { url, close } = await listening(createHttpServer(app));
  return {
    ask: async (role) => {
      const reply = await fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ role }),
      });
      return {
        status: reply.status,
        recordId: reply.headers.get("decern-record-id"),
        retryAfter: reply.headers.get("retry-after"),
        body: await reply.text(),
      };
    },
    close,
  };
}
