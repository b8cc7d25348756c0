import {
  defineDecision,
  type OkResult,
  type ProfileCall,
  type ProfilesOf,
  type Result,
  withProfile,
} from "@decern/core";
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from "express";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { access, loan } from "../../../test/suites/loan-and-access.js";
import { watchProfiles } from "../../../test/support/watch.js";
import { createDecisionGuard, createDecisionMiddleware, createDecisionRouter } from "../src/index.js";

type LoanData = { approved: boolean; rate: number };

test("callbacks see Express's request and the decision's result", () => {
  const middleware = createDecisionMiddleware({
    decision: loan,
    inputMapper: (request) => {
      expectTypeOf(request).toEqualTypeOf<Request>();
      return request.body;
    },
    profileResolver: async (request) => ({ minScore: Number(request.get("x-limit")) }),
    onResult: (result, request, response) => {
      expectTypeOf(result).toEqualTypeOf<Result<LoanData, "too-low" | "standard">>();
      expectTypeOf(request).toEqualTypeOf<Request>();
      expectTypeOf(response).toEqualTypeOf<Response>();
    },
  });
  expectTypeOf(middleware).toExtend<RequestHandler>();
  createDecisionGuard({
    decision: access,
    isDenied: (result) => {
      expectTypeOf(result).toEqualTypeOf<Result<{ allowed: boolean }, "known" | "other">>();
      return result.status !== "OK" || !result.data.allowed;
    },
    onDeny: (result, _request, response) => response.status(403).json(result.meta),
  });
});

test("callbacks may declare optional properties of the host's own, but none that a request can lack", () => {
  interface TenantRequest extends Request {
    readonly tenant?: { readonly limits: { readonly minScore: number } };
  }
  interface CertainRequest extends Request {
    readonly tenant: { readonly limits: { readonly minScore: number } };
  }
  const middleware = createDecisionMiddleware({
    decision: loan,
    profileResolver: (request: TenantRequest) => request.tenant?.limits ?? { minScore: 620 },
    onResult: (result, request: TenantRequest) => {
      expectTypeOf(request.tenant?.limits.minScore).toEqualTypeOf<number | undefined>();
      expectTypeOf(result).toEqualTypeOf<Result<LoanData, "too-low" | "standard">>();
    },
  });
  express().post("/tenants/:id", middleware, (request) => {
    expectTypeOf(request.params.id).toEqualTypeOf<string>();
  });
  express().use(middleware);
  express.Router().all("/any", middleware);
  express().get(
    "/reports/:id",
    createDecisionGuard({
      decision: access,
      inputMapper: (request: TenantRequest) => ({ role: String(request.tenant?.limits.minScore) }),
    }),
    (request, response) => {
      expectTypeOf(request.params.id).toEqualTypeOf<string>();
      response.end();
    },
  );
  createDecisionMiddleware({
    decision: loan,
    // @ts-expect-error nothing makes sure that there is a tenant
    profileResolver: (request: CertainRequest) => request.tenant.limits,
  });
  createDecisionGuard({
    decision: access,
    // @ts-expect-error nothing makes sure that there is a tenant
    onDeny: (_result, request: CertainRequest) => request.tenant,
  });
});

test("profiles are typed by their decision", () => {
  createDecisionMiddleware({ decision: loan, profile: { minScore: 1 } });
  // @ts-expect-error a profile of another shape
  createDecisionMiddleware({ decision: loan, profile: { minScore: "1" } });
  // @ts-expect-error a resolver of another shape
  createDecisionMiddleware({ decision: loan, profileResolver: () => ({ minScore: "1" }) });
  const decisions = [loan, access] as const;
  expectTypeOf(
    createDecisionRouter({ decisions, profiles: { loan: { minScore: 1 }, "access.v1~beta": { roles: [] } } }),
  ).toEqualTypeOf<Router>();
  createDecisionRouter({ decisions: [loan, access], profiles: { loan: { minScore: 1 } } });
  // @ts-expect-error a profile of another shape
  createDecisionRouter({ decisions, profiles: { loan: { minScore: "1" } } });
  // @ts-expect-error no such decision
  createDecisionRouter({ decisions, profiles: { lone: {} } });
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
  createDecisionRouter({ decisions: [loan, strict], profiles: { strict: { limit: 1 } } });
  createDecisionRouter({ decisions: [strict], profileResolver: ({ named }) => named("x") });
  createDecisionRouter({ decisions: [withProfile(strict, { limit: 1 })] });
  // @ts-expect-error strict has none
  createDecisionRouter({ decisions: [loan, strict] });
});

test("named takes the names that profiles has", () => {
  const profiles = { "loan#strict": { minScore: 700 }, "loan@1.0.0#c#1": { minScore: 650 } };
  createDecisionRouter({ decisions: [loan], profiles, profileResolver: ({ named }) => named("strict") });
  createDecisionRouter({ decisions: [loan], profiles, profileResolver: ({ named }) => named("1") });
  // Names are not known here.
  createDecisionRouter({ decisions: [loan], profileResolver: ({ named }) => named("any") });
  const resolver = ({ named, caller }: ProfileCall) => (caller === undefined ? undefined : named(caller));
  createDecisionRouter({ decisions: [loan], profiles, profileResolver: resolver });
  // @ts-expect-error strict, not strct
  createDecisionRouter({ decisions: [loan], profiles, profileResolver: ({ named }) => named("strct") });
});

test("the result is typed for later handlers", () => {
  // The tests of both adapters are one program: their augmentations live side by side.
  const handler = (request: Request, _response: Response, next: NextFunction): void => {
    expectTypeOf(request.decision).toEqualTypeOf<Result | undefined>();
    if (request.decision?.status === "OK") expectTypeOf(request.decision).toEqualTypeOf<OkResult>();
    next();
  };
  express().use(createDecisionRouter({ decisions: [loan] }), handler);
});

test("unknown options don't compile", () => {
  // @ts-expect-error onDeny is the guard's
  createDecisionMiddleware({ decision: loan, onDeny: () => {} });
  // @ts-expect-error decisions are needed
  createDecisionRouter({ profiles: {} });
});

test("an inputMapper must return the decision's input, unless its type is unknown", () => {
  createDecisionGuard({ decision: access, inputMapper: (request) => ({ role: request.get("x-role") }) });
  createDecisionGuard({
    decision: access,
    inputMapper: async (request) => ({ role: request.get("x-role") }),
  });
  createDecisionMiddleware({ decision: loan, inputMapper: (request): unknown => request.headers });
  // @ts-expect-error the role is a string
  createDecisionGuard({ decision: access, inputMapper: () => ({ role: 1 }) });
  // @ts-expect-error role, not rol
  createDecisionGuard({ decision: access, inputMapper: () => ({ rol: "x" }) });
  // @ts-expect-error score, not scor
  createDecisionMiddleware({ decision: loan, inputMapper: async () => ({ scor: 1 }) });
});

test("profiles may be readonly", () => {
  const profile = { roles: ["admin"] } as const;
  createDecisionGuard({ decision: access, profile });
  createDecisionGuard({ decision: access, profileResolver: async () => profile });
});

test("router options know the ids of their decisions", () => {
  const decisions = [loan, access] as const;
  createDecisionRouter({
    decisions,
    profiles: watchProfiles({ file: "profiles.json" }),
    caller: (request) => {
      expectTypeOf(request).toEqualTypeOf<Request>();
      return request.get("x-tenant");
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
  createDecisionRouter({ decisions, profiles: { "loan@1.0.0#strict": { minScore: 700 } } });
  // @ts-expect-error no such decision
  createDecisionRouter({ decisions, versions: { lone: { default: "1.0.0" } } });
  // @ts-expect-error the default must be named
  createDecisionRouter({ decisions, versions: { loan: { retired: ["0.1.0"] } } });
  // @ts-expect-error no such decision
  createDecisionRouter({ decisions, shadow: { lone: { version: "2.0.0" } } });
  // @ts-expect-error select is synchronous
  createDecisionRouter({ decisions, versions: { loan: { default: "1.0.0", select: async () => "1.0.0" } } });
  // @ts-expect-error a caller is text
  createDecisionRouter({ decisions, caller: () => 13 });
  // @ts-expect-error callers are named at once
  createDecisionRouter({ decisions, caller: async () => "me" });
  // @ts-expect-error versions are the router's
  createDecisionMiddleware({ decision: loan, versions: {} });
});

test("everything that evaluates one decision takes a caller", () => {
  interface UserRequest extends Request {
    readonly user?: { readonly name: string };
  }
  const caller = (request: UserRequest) => request.user?.name;
  createDecisionMiddleware({ decision: loan, caller });
  createDecisionGuard({ decision: access, caller });
  createDecisionRouter({ decisions: [loan], caller });
  // @ts-expect-error a caller is text
  createDecisionMiddleware({ decision: loan, caller: () => 13 });
  // @ts-expect-error callers are named at once
  createDecisionGuard({ decision: access, caller: async () => "me" });
});

test("profiles that are typed for some of the decisions do not say which decisions there are", () => {
  const profiles: ProfilesOf<readonly [typeof loan]> = {};
  createDecisionRouter({ decisions: [loan, access], profiles });
});
