import fc from "fast-check";
import Fastify, { type FastifyReply } from "fastify";
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
import { createDecisionHook } from "../src/index.js";

const unhandled: unknown[] = [];
const collect = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", collect));
afterAll(() => void process.off("unhandledRejection", collect));

function reply(_result: unknown, _request: unknown, target: unknown): void {
  void (target as FastifyReply).code(451).send({ host: "denied" });
}

async function run(plan: GuardPlan, host: { ownErrors: boolean; slowSend: boolean }) {
  const { options, record } = planOptions(plan, reply);
  const app = Fastify();
  let entered = 0;
  if (host.ownErrors) app.setErrorHandler((_error, _request, reply) => reply.code(500).send("the host's"));
  if (host.slowSend) app.addHook("onSend", async () => new Promise((resolve) => setImmediate(resolve)));
  // The options are of every shape on purpose.
  const preHandler = createDecisionHook(options as unknown as Parameters<typeof createDecisionHook>[0]);
  app.post("/", { preHandler }, async () => {
    entered += 1;
    return "secret";
  });
  const answer = await app.inject({
    method: "POST",
    url: "/",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(inputOf(plan)),
  });
  await app.close();
  return { answer, entered, record };
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
const hosts = fc.record({ ownErrors: fc.boolean(), slowSend: fc.boolean() });

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
          check(plan, await run(plan, { ownErrors: false, slowSend: false }));
        }
      }
    }
  }
  expect(unhandled).toEqual([]);
});
