import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import fc from "fast-check";
import request from "supertest";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type GuardPlan,
  guardDimensions,
  inputOf,
  isClearYes,
  maxErrors,
  plainPlan,
  planOptions,
} from "../../../test/suites/guard-plan.js";
import { type ExpressVersion, expressVersions } from "./express-versions.js";

const versions = await expressVersions();

const unhandled: unknown[] = [];
const collect = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", collect));
afterAll(() => void process.off("unhandledRejection", collect));

function reply(_result: unknown, _request: unknown, response: unknown): void {
  (response as Response).status(451).json({ host: "denied" });
}

interface Host {
  readonly version: ExpressVersion;
  readonly ownErrors: boolean;
  readonly mount: "route" | "application" | "router";
}

async function run(plan: GuardPlan, { version, ownErrors, mount }: Host) {
  const { options, record } = planOptions(plan, reply);
  const { express, adapter } = version;
  const app = express();
  app.use(express.json());
  let entered = 0;
  const handler: RequestHandler = (_request, response) => {
    entered += 1;
    response.send("secret");
  };
  // The options are of every shape on purpose.
  type Options = Parameters<typeof adapter.createDecisionGuard>[0];
  const guard = adapter.createDecisionGuard(options as unknown as Options);
  if (mount === "route") app.post("/", guard, handler);
  else if (mount === "application") app.use(guard).post("/", handler);
  else app.use(express.Router().use(guard).post("/", handler));
  if (ownErrors) {
    const onError: ErrorRequestHandler = (_error, _request, response, _next) => {
      response.status(500).send("the host's");
    };
    app.use(onError);
  }
  const answer = await request(app)
    .post("/")
    .send(inputOf(plan) as object);
  return { answer: { statusCode: answer.status, body: answer.text }, entered, record };
}

function check(plan: GuardPlan, { answer, entered, record }: Awaited<ReturnType<typeof run>>): void {
  const yes = isClearYes(plan);
  if (yes) expect([entered, answer.statusCode]).toEqual([1, 200]);
  if (!yes) {
    expect(entered).toBe(0);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain("secret of");
  }
  expect(record.errors.length).toBeLessThanOrEqual(maxErrors(plan));
  expect(record.denials).toBeLessThanOrEqual(1);
  expect(record.events.length).toBe(1);
}

const plans = fc.record({
  ...plainPlan,
  ...Object.fromEntries(
    Object.entries(guardDimensions).map(([name, values]) => [name, fc.constantFrom(...values)]),
  ),
} as unknown as { [D in keyof GuardPlan]: fc.Arbitrary<GuardPlan[D]> });
const hosts: fc.Arbitrary<Host> = fc.record({
  version: fc.constantFrom(...versions),
  ownErrors: fc.boolean(),
  mount: fc.constantFrom("route", "application", "router"),
});

it("never runs the protected handler unless the decision clearly allows it", async () => {
  await fc.assert(
    fc.asyncProperty(plans, hosts, async (plan, host) => check(plan, await run(plan, host))),
    { numRuns: 300 },
  );
  expect(unhandled).toEqual([]);
});

it("holds for each single fault, whatever is thrown", async () => {
  for (const [name, values] of Object.entries(guardDimensions)) {
    for (const value of values) {
      const throwing = value.includes("throws") || value === "rejects";
      for (const thrown of throwing ? guardDimensions.thrown : ["error" as const]) {
        // What is thrown must turn a yes into a no; of a no, one fault each will do.
        for (const input of thrown === "error" ? (["yes", "no"] as const) : (["yes"] as const)) {
          const plan = { ...plainPlan, input, thrown, [name]: value };
          for (const version of versions) {
            check(plan, await run(plan, { version, ownErrors: false, mount: "application" }));
          }
        }
      }
    }
  }
  expect(unhandled).toEqual([]);
});
