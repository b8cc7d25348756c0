import type { OkResult, Result } from "@decern/core";
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from "express";
import { expectTypeOf, test } from "vitest";
import { createDecisionGuard, createDecisionMiddleware, createDecisionRouter } from "../src/index.js";
import { access, loan } from "./decisions.js";

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
      expectTypeOf(result).toEqualTypeOf<Result<LoanData>>();
      expectTypeOf(request).toEqualTypeOf<Request>();
      expectTypeOf(response).toEqualTypeOf<Response>();
    },
  });
  expectTypeOf(middleware).toExtend<RequestHandler>();
  createDecisionGuard({
    decision: access,
    isDenied: (result) => {
      expectTypeOf(result).toEqualTypeOf<Result<{ allowed: boolean }>>();
      return result.status !== "OK" || !result.data.allowed;
    },
    onDeny: (result, _request, response) => response.status(403).json(result.meta),
  });
});

test("callbacks may name a narrower request of the host's own", () => {
  interface TenantRequest extends Request {
    readonly tenant: { readonly limits: { readonly minScore: number } };
  }
  const middleware = createDecisionMiddleware({
    decision: loan,
    profileResolver: (request: TenantRequest) => request.tenant.limits,
    onResult: (result, request) => {
      expectTypeOf(request).toEqualTypeOf<TenantRequest>();
      expectTypeOf(result).toEqualTypeOf<Result<LoanData>>();
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
      inputMapper: (request: TenantRequest) => ({ role: String(request.tenant.limits.minScore) }),
    }),
    (request, response) => {
      expectTypeOf(request.params.id).toEqualTypeOf<string>();
      response.end();
    },
  );
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

test("the result is typed for the handlers that follow", () => {
  // The tests of both adapters are one program: their augmentations live side by side.
  const handler = (request: Request, _response: Response, next: NextFunction): void => {
    expectTypeOf(request.decision).toEqualTypeOf<Result | undefined>();
    if (request.decision?.status === "OK") expectTypeOf(request.decision).toEqualTypeOf<OkResult>();
    next();
  };
  express().use(createDecisionRouter({ decisions: [loan] }), handler);
});

test("options that do not exist are seen", () => {
  // @ts-expect-error onDeny is the guard's
  createDecisionMiddleware({ decision: loan, onDeny: () => {} });
  // @ts-expect-error decisions are needed
  createDecisionRouter({ profiles: {} });
});

test("what an inputMapper returns is the decision's input, unless its type is unknown", () => {
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
