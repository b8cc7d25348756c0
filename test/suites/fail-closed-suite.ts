import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Framework } from "./framework.js";
import {
  type GuardPlan,
  guardDimensions,
  inputOf,
  isClearYes,
  maxErrors,
  plainPlan,
  planOptions,
} from "./guard-plan.js";

/** Checks that guards of some hosts admit only on a clear yes, whatever else fails. */
export function failClosedSuite<Request, Reply>(...frameworks: readonly Framework<Request, Reply>[]): void {
  const unhandled: unknown[] = [];
  const collect = (reason: unknown): void => void unhandled.push(reason);
  beforeAll(() => void process.on("unhandledRejection", collect));
  afterAll(() => void process.off("unhandledRejection", collect));

  interface Host {
    readonly framework: Framework<Request, Reply>;
    readonly way: string;
    readonly ownErrors: boolean;
    readonly delay: string | undefined;
  }

  async function check(plan: GuardPlan, { framework, way, ownErrors, delay }: Host): Promise<void> {
    const deny = (_result: unknown, _request: unknown, reply: unknown) =>
      framework.reply(reply as Reply, 451, "denied");
    const { options, record } = planOptions(plan, deny);
    let entered = 0;
    // The options are of every shape on purpose.
    const app = await framework.mount(way, options as unknown as Parameters<typeof framework.mount>[1], {
      onError: ownErrors ? () => 500 : undefined,
      entered: () => {
        entered += 1;
      },
      delay,
    });
    const answer = await app.send("gate", {}, JSON.stringify(inputOf(plan)));
    await app.close();
    if (isClearYes(plan)) expect({ entered, status: answer.status }).toEqual({ entered: 1, status: 200 });
    else {
      expect(entered).toBe(0);
      expect(answer.status).toBeGreaterThanOrEqual(400);
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
  const hosts: fc.Arbitrary<Host> = fc.constantFrom(...frameworks).chain((framework) =>
    fc.record({
      framework: fc.constant(framework),
      way: fc.constantFrom(...framework.ways.guard),
      ownErrors: fc.boolean(),
      delay: fc.constantFrom(undefined, undefined, undefined, framework.delays.at(-1)),
    }),
  );

  it("never runs the protected handler unless the decision clearly allows it", async () => {
    await fc.assert(fc.asyncProperty(plans, hosts, check), { numRuns: 300 });
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
            for (const framework of frameworks) {
              const way = framework.ways.guard[0];
              await check(plan, { framework, way, ownErrors: false, delay: undefined });
            }
          }
        }
      }
    }
    expect(unhandled).toEqual([]);
  });
}
