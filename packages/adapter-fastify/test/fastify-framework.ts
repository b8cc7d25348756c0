import { Readable } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Framework, OneDecision, Surroundings } from "../../../test/suites/framework.js";
import {
  createDecisionHandler,
  createDecisionHook,
  createDecisionRoute,
  type DecisionPluginOptions,
  decisionPlugin,
} from "../src/index.js";

type Options = OneDecision<FastifyRequest, FastifyReply>;
type Around = Surroundings<FastifyRequest, FastifyReply>;
// The suites also give what only JavaScript hosts can write.
type Handler = Parameters<typeof createDecisionHandler>[0];
type Route = Parameters<typeof createDecisionRoute>[0];
type Hook = Parameters<typeof createDecisionHook>[0];

const pathOf = ({ decision }: Options) => `/${decision?.id}`;
const handler = (options: object) => createDecisionHandler(options as Handler);

const ways: Readonly<Record<string, (app: FastifyInstance, options: Options, around: Around) => unknown>> = {
  decisionPlugin: (app, { decision, ...options }) =>
    app.register(decisionPlugin, { decisions: [decision], ...options } as unknown as DecisionPluginOptions),
  createDecisionHandler: (app, options) => app.post(pathOf(options), handler(options)),
  createDecisionRoute: (app, options) =>
    app.route(createDecisionRoute({ ...options, url: pathOf(options) } as Route)),
  createDecisionHook: (app, options, { entered, behind }) => {
    const preHandler = createDecisionHook(options as Hook);
    if (behind !== undefined) return app.post(pathOf(options), { preHandler }, handler(behind));
    return app.post(pathOf(options), { preHandler }, async (request) => {
      entered(request);
      return "the handler behind";
    });
  },
};

/** As with sessions that are kept first. */
const delay = "an onSend hook";

/** Fastify, with every way that its adapter has. */
export const fastifyFramework: Framework<FastifyRequest, FastifyReply> = {
  name: "Fastify",
  async mount(way, options, around) {
    const app = Fastify();
    if (around.delay === delay)
      app.addHook("onSend", async () => new Promise((resolve) => setTimeout(resolve, 2)));
    app.addHook("onRequest", async (request, reply) => around.before?.(request, reply));
    const { onError } = around;
    if (onError !== undefined) {
      app.setErrorHandler((error, request, reply) => reply.code(onError(error, request)).send("the host's"));
    }
    await ways[way]?.(app, options, around);
    return {
      async send(id, given, body) {
        const headers = body === undefined ? given : { "content-type": "application/json", ...given };
        const payload = body === undefined ? {} : { body };
        const reply = await app.inject({ method: "POST", url: `/${id}`, headers, ...payload });
        return { status: reply.statusCode, headers: reply.headers, body: reply.body };
      },
      async listen() {
        await app.listen({ port: 0, host: "127.0.0.1" });
        return app.server;
      },
      close: () => app.close(),
    };
  },
  ways: {
    set: "decisionPlugin",
    one: ["createDecisionHandler", "createDecisionRoute"],
    guard: ["createDecisionHook"],
  },
  delays: [delay],
  replies: [
    { name: "send", send: (reply) => void reply.code(451).send("own"), status: 451, text: "own" },
    { name: "send, returned", send: (reply) => reply.code(202).send("own"), status: 202, text: "own" },
    {
      name: "a promise",
      send: async (reply) => void (await reply.code(202).send("own")),
      status: 202,
      text: "own",
    },
    {
      name: "a promise of the reply",
      send: async (reply) => reply.code(202).send("own"),
      status: 202,
      text: "own",
    },
    {
      name: "a stream",
      send: (reply) => void reply.code(202).send(Readable.from(["own"])),
      status: 202,
      text: "own",
    },
    {
      name: "hijack",
      send: (reply) => void reply.hijack().raw.writeHead(202).end("own"),
      status: 202,
      text: "own",
    },
  ],
  reply: (reply, status, text) => void reply.code(status).send(text),
  setHeader: (reply, name, value) => void reply.header(name, value),
  isSent: (reply) => reply.sent,
  decision: (request) => request.decision,
  raw: (request) => request.raw,
};
