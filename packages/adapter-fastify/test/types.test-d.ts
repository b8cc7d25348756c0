import {
  type Decision,
  defineDecision,
  type OkResult,
  type ProfileCall,
  type Result,
  withProfile,
} from "@decern/core";
import fastify, {
  type FastifyReply,
  type FastifyRequest,
  type preHandlerHookHandler,
  type RouteHandlerMethod,
  type RouteOptions,
} from "fastify";
import fastifyPlugin from "fastify-plugin";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { access, loan } from "../../../test/suites/loan-and-access.js";
import { watchProfiles } from "../../../test/support/watch.js";
import {
  createDecisionHandler,
  createDecisionHook,
  createDecisionRoute,
  type DecisionPluginOptions,
  decisionPlugin,
} from "../src/index.js";

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
      expectTypeOf(result).toEqualTypeOf<Result<LoanData, "too-low" | "standard">>();
      expectTypeOf(request).toEqualTypeOf<FastifyRequest>();
      expectTypeOf(reply).toEqualTypeOf<FastifyReply>();
    },
  });
  expectTypeOf(handler).toExtend<RouteHandlerMethod>();
  app.post("/apply", handler);
  const route = createDecisionRoute({
    url: "/apply",
    decision: loan,
    onResult: (result) => expectTypeOf(result).toEqualTypeOf<Result<LoanData, "too-low" | "standard">>(),
  });
  expectTypeOf(route).toExtend<RouteOptions>();
  const preHandler = createDecisionHook({
    decision: access,
    isDenied: (result) => {
      expectTypeOf(result).toEqualTypeOf<Result<{ allowed: boolean }, "known" | "other">>();
      return result.status !== "OK" || !result.data.allowed;
    },
    onDeny: (result, _request, reply) => reply.code(403).send(result.meta),
  });
  expectTypeOf(preHandler).toEqualTypeOf<preHandlerHookHandler>();
  app.get("/reports", { preHandler }, async () => "the report");
  app.addHook("preHandler", preHandler);
});

test("callbacks may declare the types of their route, which the route then must declare too", () => {
  interface RoleRoute {
    Headers: { "x-role": string };
    Params: { id: string };
  }
  const preHandler = createDecisionHook({
    decision: access,
    inputMapper: (request: FastifyRequest<RoleRoute>) => ({
      role: request.headers["x-role"],
      id: request.params.id,
    }),
    onDeny: (_result, request) => expectTypeOf(request).toEqualTypeOf<FastifyRequest<RoleRoute>>(),
  });
  app.get<RoleRoute>("/reports/:id", { preHandler }, async (request) => {
    expectTypeOf(request.params.id).toEqualTypeOf<string>();
  });
  // @ts-expect-error this route says nothing about its headers
  app.get<{ Params: { id: string } }>("/reports/:id", { preHandler }, async () => "the report");
  const inputMapper = (request: FastifyRequest<{ Body: { points: number } }>) => ({
    score: request.body.points,
  });
  app.post<{ Body: { points: number } }>("/apply", createDecisionHandler({ decision: loan, inputMapper }));
  // @ts-expect-error this route declares another body
  app.post<{ Body: { score: number } }>("/apply", createDecisionHandler({ decision: loan, inputMapper }));
  app.route<{ Body: { points: number } }>(
    createDecisionRoute({ url: "/apply", decision: loan, inputMapper }),
  );
  // @ts-expect-error this route declares another body
  app.route<{ Body: { score: number } }>(createDecisionRoute({ url: "/apply", decision: loan, inputMapper }));
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

test("a decision that needs a profile has one, or does not compile", () => {
  const strict = defineDecision({
    id: "strict",
    version: "1",
    inputSchema: z.object({ a: z.number() }),
    outputSchema: z.object({ b: z.string() }),
    profileSchema: z.object({ limit: z.number() }),
    rules: [{ id: "r", when: () => true, emit: () => ({ b: "" }) }],
  });
  void app.register(decisionPlugin, { decisions: [loan, strict], profiles: { strict: { limit: 1 } } });
  void app.register(decisionPlugin, { decisions: [strict], profileResolver: ({ named }) => named("x") });
  void app.register(decisionPlugin, { decisions: [withProfile(strict, { limit: 1 })] });
  // @ts-expect-error strict has none
  void app.register(decisionPlugin, { decisions: [loan, strict] });
  // @ts-expect-error strict has none
  void decisionPlugin(app, { decisions: [loan, strict] });
});

test("every kind of Fastify instance accepts them", () => {
  const secure = fastify({ http2: true });
  void secure.register(decisionPlugin, { decisions: [loan] });
  const logged = fastify({ logger: { level: "info" } });
  void logged.register(decisionPlugin, { decisions: [loan] });
  logged.post("/apply", createDecisionHandler({ decision: loan }));
  logged.route(createDecisionRoute({ url: "/apply", decision: loan }));
});

test("named takes the names that profiles has", () => {
  const profiles = { "loan#strict": { minScore: 700 }, "loan@1.0.0#c#1": { minScore: 650 } };
  void app.register(decisionPlugin, {
    decisions: [loan],
    profiles,
    profileResolver: ({ named }) => named("strict"),
  });
  void app.register(decisionPlugin, {
    decisions: [loan],
    profiles,
    profileResolver: ({ named }) => named("1"),
  });
  // Names are not known here.
  void app.register(decisionPlugin, { decisions: [loan], profileResolver: ({ named }) => named("any") });
  const resolver = ({ named, caller }: ProfileCall) => (caller === undefined ? undefined : named(caller));
  void app.register(decisionPlugin, { decisions: [loan], profiles, profileResolver: resolver });
  void app.register(decisionPlugin, {
    decisions: [loan],
    profiles,
    // @ts-expect-error strict, not strct
    profileResolver: ({ named }) => named("strct"),
  });
});

test("the result is typed for later handlers", () => {
  app.get("/", async (request) => {
    // The tests of both adapters are one program: their augmentations live side by side.
    expectTypeOf(request.decision).toEqualTypeOf<Result | undefined>();
    if (request.decision?.status === "OK") expectTypeOf(request.decision).toEqualTypeOf<OkResult>();
  });
});

test("unknown options don't compile", () => {
  // @ts-expect-error onDeny is the hook's
  createDecisionHandler({ decision: loan, onDeny: () => {} });
  // @ts-expect-error url is needed
  createDecisionRoute({ decision: loan });
});

test("an inputMapper must return the decision's input, unless its type is unknown", () => {
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

test("plugin options know the ids of their decisions", () => {
  const decisions = [loan, access] as const;
  app.register(decisionPlugin, {
    decisions,
    caller: (request) => {
      expectTypeOf(request).toEqualTypeOf<FastifyRequest>();
      return request.headers.authorization;
    },
    profileResolver: (call) => {
      expectTypeOf(call).toEqualTypeOf<ProfileCall>();
      return call.named("strict");
    },
  });
  app.register(decisionPlugin, { decisions, profiles: { loan: { minScore: 700 } }, logLevel: "info" });
  // @ts-expect-error minScore, not minScor
  app.register(decisionPlugin, { decisions, profiles: { loan: { minScor: 1 } } });
  // @ts-expect-error no such decision
  app.register(decisionPlugin, { decisions, profiles: { lone: { minScore: 1 } } });
  // @ts-expect-error no such option
  app.register(decisionPlugin, { decisions, profile: {} });
  const inList: readonly Decision[] = decisions;
  app.register(decisionPlugin, { decisions: inList });
  const options: DecisionPluginOptions = { decisions };
  app.register(decisionPlugin, options);
  app.register(fastifyPlugin(decisionPlugin), {
    decisions,
    caller: (request) => request.headers.authorization,
  });
  // The hint of the errors above.
  ({ decisions, profiles: { loan: { minScore: 1 } } }) satisfies DecisionPluginOptions<typeof decisions>;
  // @ts-expect-error minScore, not minScor
  ({ decisions, profiles: { loan: { minScor: 1 } } }) satisfies DecisionPluginOptions<typeof decisions>;
  void decisionPlugin(app, {
    decisions,
    profiles: watchProfiles({ file: "profiles.json" }),
    caller: (request) => {
      expectTypeOf(request).toEqualTypeOf<FastifyRequest>();
      return request.headers.authorization;
    },
    profileResolver: async (call) => {
      expectTypeOf(call).toEqualTypeOf<ProfileCall>();
      return call.named("strict");
    },
    versions: {
      loan: {
        default: "1.2.0",
        select: ({ caller }) => (caller === undefined ? undefined : "1.0.0"),
        retired: ["0.1.0"],
      },
    },
    shadow: { loan: { decision: access, sample: 0.1 } },
  });
  void decisionPlugin(app, { decisions, profiles: { "loan@1.0.0#strict": { minScore: 700 } } });
  // @ts-expect-error no such decision
  void decisionPlugin(app, { decisions, versions: { lone: { default: "1.0.0" } } });
  // @ts-expect-error the default must be named
  void decisionPlugin(app, { decisions, versions: { loan: { retired: ["0.1.0"] } } });
  // @ts-expect-error no such decision
  void decisionPlugin(app, { decisions, shadow: { lone: { version: "2.0.0" } } });
  // @ts-expect-error a caller is text
  void decisionPlugin(app, { decisions, caller: () => 13 });
  // @ts-expect-error callers are named at once
  void decisionPlugin(app, { decisions, caller: async () => "me" });
});

test("everything that evaluates one decision takes a caller, with the route's types", () => {
  interface TenantRoute {
    Headers: { "x-tenant": string };
  }
  const caller = ({ headers }: FastifyRequest<TenantRoute>) => headers["x-tenant"];
  app.post<TenantRoute>("/a", createDecisionHandler({ decision: loan, caller }));
  app.route<TenantRoute>(createDecisionRoute({ url: "/b", decision: loan, caller }));
  app.get<TenantRoute>(
    "/c",
    { preHandler: createDecisionHook({ decision: access, caller }) },
    async () => "in",
  );
  // @ts-expect-error a caller is text
  createDecisionHandler({ decision: loan, caller: () => 13 });
  // @ts-expect-error callers are named at once
  createDecisionHook({ decision: access, caller: async () => "me" });
  // @ts-expect-error versions are the plugin's
  createDecisionRoute({ url: "/d", decision: loan, versions: {} });
});
