import type { OkResult, Result } from "@decern/core";
import fastify, {
  type FastifyReply,
  type FastifyRequest,
  type preHandlerHookHandler,
  type RouteHandlerMethod,
  type RouteOptions,
} from "fastify";
import { expectTypeOf, test } from "vitest";
import {
  createDecisionHandler,
  createDecisionHook,
  createDecisionRoute,
  decisionPlugin,
} from "../src/index.js";
import { access, loan } from "./decisions.js";

type LoanData = { approved: boolean; rate: number };
const app = fastify();

test("callbacks see Fastify's request and the decision's result", () => {
  const handler = createDecisionHandler({
    decision: loan,
    inputMapper: (request) => {
      expectTypeOf(request).toEqualTypeOf<FastifyRequest>();
      return request.body;
    },
    profileResolver: async (request) => ({ minScore: Number(request.headers["x-limit"]) }),
    onResult: (result, request, reply) => {
      expectTypeOf(result).toEqualTypeOf<Result<LoanData>>();
      expectTypeOf(request).toEqualTypeOf<FastifyRequest>();
      expectTypeOf(reply).toEqualTypeOf<FastifyReply>();
    },
  });
  expectTypeOf(handler).toEqualTypeOf<RouteHandlerMethod>();
  app.post("/apply", handler);
  const route = createDecisionRoute({
    url: "/apply",
    decision: loan,
    onResult: (result) => expectTypeOf(result).toEqualTypeOf<Result<LoanData>>(),
  });
  expectTypeOf(route).toEqualTypeOf<RouteOptions>();
  const preHandler = createDecisionHook({
    decision: access,
    isDenied: (result) => {
      expectTypeOf(result).toEqualTypeOf<Result<{ allowed: boolean }>>();
      return result.status !== "OK" || !result.data.allowed;
    },
    onDeny: (result, _request, reply) => reply.code(403).send(result.meta),
  });
  expectTypeOf(preHandler).toEqualTypeOf<preHandlerHookHandler>();
  app.get("/reports", { preHandler }, async () => "the report");
  app.addHook("preHandler", preHandler);
});

test("callbacks may name a narrower request of the host's own", () => {
  type RoleRequest = FastifyRequest<{ Headers: { "x-role": string }; Params: { id: string } }>;
  const preHandler = createDecisionHook({
    decision: access,
    inputMapper: (request: RoleRequest) => ({ role: request.headers["x-role"], id: request.params.id }),
    onDeny: (_result, request) => expectTypeOf(request).toEqualTypeOf<RoleRequest>(),
  });
  app.get<{ Headers: { "x-role": string }; Params: { id: string } }>(
    "/reports/:id",
    { preHandler },
    async (request) => {
      expectTypeOf(request.params.id).toEqualTypeOf<string>();
    },
  );
  app.post<{ Body: { score: number } }>("/apply", createDecisionHandler({ decision: loan }));
});

test("profiles are typed by their decision", () => {
  createDecisionHandler({ decision: loan, profile: { minScore: 1 } });
  // @ts-expect-error a profile of another shape
  createDecisionHandler({ decision: loan, profile: { minScore: "1" } });
  // @ts-expect-error a resolver of another shape
  createDecisionHook({ decision: access, profileResolver: () => ({ roles: "admin" }) });
});

test("the plugin registers with its options", () => {
  const decisions = [loan, access] as const;
  void app.register(decisionPlugin, { decisions, prefix: "/decisions", profiles: { loan: { minScore: 1 } } });
  void app.register(decisionPlugin, { decisions: [loan, access] });
  void decisionPlugin(app, { decisions, profiles: { loan: { minScore: 1 } } });
  // @ts-expect-error a profile of another shape
  void decisionPlugin(app, { decisions, profiles: { loan: { minScore: "1" } } });
  // @ts-expect-error decisions are needed
  void app.register(decisionPlugin, { prefix: "x" });
  // @ts-expect-error no such option
  void decisionPlugin(app, { decisions, profile: {} });
});

test("hosts of every kind take them", () => {
  const secure = fastify({ http2: true });
  void secure.register(decisionPlugin, { decisions: [loan] });
  const logged = fastify({ logger: { level: "info" } });
  void logged.register(decisionPlugin, { decisions: [loan] });
  logged.post("/apply", createDecisionHandler({ decision: loan }));
  logged.route(createDecisionRoute({ url: "/apply", decision: loan }));
});

test("the result is typed for the handlers that follow", () => {
  app.get("/", async (request) => {
    // The tests of both adapters are one program: their augmentations live side by side.
    expectTypeOf(request.decision).toEqualTypeOf<Result | undefined>();
    if (request.decision?.status === "OK") expectTypeOf(request.decision).toEqualTypeOf<OkResult>();
  });
});

test("options that do not exist are seen", () => {
  // @ts-expect-error onDeny is the hook's
  createDecisionHandler({ decision: loan, onDeny: () => {} });
  // @ts-expect-error url is needed
  createDecisionRoute({ decision: loan });
});

test("what an inputMapper returns is the decision's input, unless its type is unknown", () => {
  createDecisionHook({ decision: access, inputMapper: (request) => ({ role: request.id }) });
  createDecisionHook({ decision: access, inputMapper: async (request) => ({ role: request.id }) });
  createDecisionHandler({ decision: loan, inputMapper: (request): unknown => request.headers });
  // @ts-expect-error the role is a string
  createDecisionHook({ decision: access, inputMapper: () => ({ role: 1 }) });
  // @ts-expect-error role, not rol
  createDecisionHook({ decision: access, inputMapper: () => ({ rol: "x" }) });
  // @ts-expect-error score, not scor
  createDecisionHandler({ decision: loan, inputMapper: async () => ({ scor: 1 }) });
});

test("profiles may be readonly", () => {
  const profile = { roles: ["admin"] } as const;
  createDecisionHook({ decision: access, profile });
  createDecisionHook({ decision: access, profileResolver: async () => profile });
});
