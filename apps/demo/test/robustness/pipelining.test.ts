import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { portOf } from "../support/listening.js";
import { type Allowance, carryOut, problemOf } from "./pipelining-client.js";
import { type Host, type HostName, hostNames, makeServer, startHost } from "./pipelining-hosts.js";
import { type ConnectionPlan, connectionPlan, idPrefix, plainPlan } from "./pipelining-plan.js";

/** Set `PIPELINING_CONNECTIONS=100000` for a long run, and `PIPELINING_SEED` to repeat a run. The seed is printed. */
const connections = Number(process.env["PIPELINING_CONNECTIONS"] ?? 300);
const seed = Number(process.env["PIPELINING_SEED"] ?? Date.now() % 2 ** 31);
/** Long enough that only a hanging connection reaches it. */
const timeout = 120_000 + connections * 50;
const together = 20;

// An error that a host throws outside a request would end its process.
let thrown: unknown[];
const onThrown = (error: unknown): void => void thrown.push(error);
beforeEach(() => {
  thrown = [];
  process.on("uncaughtException", onThrown);
});
afterEach(() => void process.off("uncaughtException", onThrown));

/** The plans of one group of connections. Every group has its own seed. */
function plansOf(group: number, names?: readonly HostName[]): readonly ConnectionPlan[] {
  return fc
    .sample(connectionPlan(names), { numRuns: together, seed: seed + group })
    .map((plan, index) => plan(`${idPrefix}${group}.${index}`));
}

function describePlan(plan: ConnectionPlan): string {
  const { host, requests, cuts, leave } = plan;
  return JSON.stringify({ host, requests: requests.map(({ kind, id }) => `${id} ${kind}`), cuts, leave });
}

/** Carries out the plans of a group concurrently, and returns the problems. */
async function problemsOf(
  plans: readonly ConnectionPlan[],
  portFor: (plan: ConnectionPlan) => number,
  allowanceFor: (plan: ConnectionPlan) => Allowance,
  onPart?: () => void,
): Promise<readonly string[]> {
  const outcomes = await Promise.all(
    plans.map(async (plan) => ({ plan, outcome: await carryOut(plan, portFor(plan), onPart) })),
  );
  return outcomes.flatMap(({ plan, outcome }) => {
    if (!outcome.connected) return [];
    const problem = problemOf(plan, outcome, allowanceFor(plan));
    return problem === undefined ? [] : [`${problem}\n${describePlan(plan)}`];
  });
}

it("replies to every request on a connection once and in order, until a reply or the client ends it", {
  timeout,
}, async () => {
  console.log(`pipelining: PIPELINING_SEED=${seed} PIPELINING_CONNECTIONS=${connections}`);
  const hosts = new Map<HostName, Host>();
  for (const name of hostNames) hosts.set(name, await startHost[name]());
  const portFor = ({ host }: ConnectionPlan): number => hosts.get(host)?.port ?? 0;
  const allowed = ({ host }: ConnectionPlan): Allowance => ({
    statuses: host === "server with little room" ? [503] : [],
  });
  for (let group = 0; group * together < connections; group += 1) {
    expect(await problemsOf(plansOf(group), portFor, allowed)).toEqual([]);
    expect(thrown).toEqual([]);
  }
  for (const [name, { port, close }] of hosts) {
    // Nothing is left behind, not even an occupied place.
    const plan = plainPlan(name);
    expect(problemOf(plan, await carryOut(plan, port), { statuses: [] }), name).toBeUndefined();
    await close();
  }
  expect(thrown).toEqual([]);
});

it("replies in order to the requests it has started to read when it is closed", { timeout }, async () => {
  for (let group = 0; group * together * 5 < connections; group += 1) {
    const server = makeServer();
    await server.handler.listen({ port: 0, host: "127.0.0.1" });
    const begun = new Set<string>();
    server.handler.server.on("request", ({ headers }) => begun.add(String(headers["x-request-id"])));
    const port = portOf(server.handler.server);
    let parts = 0;
    let closed: Promise<void> | undefined;
    const onPart = (): void => {
      parts += 1;
      if (parts > (seed + group * 7) % (together * 3)) closed ??= server.close();
    };
    const plans = plansOf(group, ["server"]).map((plan) => ({
      ...plan,
      leave: plan.leave && { ...plan.leave },
    }));
    expect(
      await problemsOf(
        plans,
        () => port,
        () => ({ statuses: [503], begun }),
        onPart,
      ),
    ).toEqual([]);
    await (closed ?? server.close());
    expect(thrown).toEqual([]);
  }
});
