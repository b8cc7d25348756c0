import { describe, expect, it } from "vitest";
import { anything } from "../../../../test/suites/suite-decisions.js";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { createFeaturedService, createService } from "../../src/host.js";
import { mountFeatures } from "../../src/http/featured-service.js";
import {
  defineDecision,
  type Facade,
  type FeatureHost,
  type FeatureRequest,
  type FeatureRoute,
} from "../../src/index.js";
import { feature } from "../../src/options.js";

const schemas = { inputSchema: anything, outputSchema: anything, profileSchema: anything };
const echo = (version: string) =>
  defineDecision({
    id: "echo",
    version,
    ...schemas,
    rules: [{ id: "all", when: () => true, emit: (input) => ({ version, input }) }],
  });
const one = echo("1.0.0");

function facade(routes: (host: FeatureHost) => readonly FeatureRoute[]): Facade {
  return {
    [feature]: "facade",
    name: "test",
    decisions: [one],
    routes,
    refuse: ({ status, code }) => ({ status, body: JSON.stringify({ refused: code }) }),
  };
}

const operation = { operationId: "test", summary: "Test", responses: {} } as const;
const route = (answer: FeatureRoute["answer"], path = "/test"): FeatureRoute => ({
  method: "POST",
  path,
  operation,
  answer,
});
const received = {
  requestId: "r1",
  headers: {},
  body: { a: 1 },
  source: undefined,
  origin: () => ({ caller: "ada", request: undefined }),
  isGone: () => false,
};
const mount = (given: Facade, options = {}) =>
  mountFeatures(
    [given],
    createService("test", {
      decisions: [one, echo("2.0.0")],
      versions: {
        echo: {
          default: "1.0.0",
          select: ({ caller }: { readonly caller?: string }) => (caller === "ada" ? "2.0.0" : "1.0.0"),
        },
      },
      logger: { error: () => {} },
      ...options,
    }),
  );
const failing = { id: "fails", when: (): boolean => failOn(new Error("rule")), emit: () => 1 };
const pick = ({ status, body }: { readonly status: number; readonly body: string }) => ({ status, body });
const failOn = (thrown: unknown): never => {
  throw thrown;
};

describe("the routes of facades", () => {
  it("evaluate as the host's own route does: its version, its hooks, its caller", async () => {
    const seen: unknown[] = [];
    const [mounted] = mount(
      facade((host) => [
        route(async (request: FeatureRequest) => {
          const { status, body } = await host.evaluate(request, one, () => request.body);
          return { status, body };
        }),
      ]),
      { hooks: { beforeEvaluate: (context: object) => void seen.push(context) } },
    );
    const answer = await mounted?.answer(received, failOn);
    expect(answer?.status).toBe(200);
    expect(JSON.parse(answer?.body ?? "")).toMatchObject({ data: { version: "2.0.0", input: { a: 1 } } });
    expect(answer?.headers).toEqual({ "x-request-id": "r1" });
    expect(seen).toMatchObject([{ decisionId: "echo", caller: "ada", requestId: "r1" }]);
  });

  it("wait for room in the log with all but the first evaluation of a request, and with its shadows", async () => {
    const log = new MemoryLog();
    const [mounted] = mountFeatures(
      [
        facade((host) => [
          route(async (request: FeatureRequest) => {
            for (let count = 0; count < 3; count += 1) await host.evaluate(request, one, () => 1);
            return { status: 200 };
          }),
        ]),
      ],
      createService("test", {
        decisions: [one, echo("2.0.0")],
        profiles: { echo: {} },
        versions: { echo: { default: "1.0.0" } },
        shadow: { echo: { version: "2.0.0" } },
        logger: { error: () => {} },
        log,
      }),
    );
    const recorded = () => log.kept.map(({ decision }) => decision.version);
    log.hasRoomForMany = false;
    const answering = mounted?.answer(received, failOn);
    await new Promise((resolve) => setImmediate(resolve));
    expect(recorded()).toEqual(["1.0.0"]);
    log.hasRoomForMany = true;
    const answer = await answering;
    expect(recorded()).toEqual(["1.0.0", "1.0.0", "1.0.0"]);
    log.hasRoomForMany = false;
    answer?.afterwards();
    expect(recorded()).toHaveLength(3);
    log.hasRoomForMany = true;
    await expect.poll(recorded).toEqual(["1.0.0", "1.0.0", "1.0.0", "2.0.0", "2.0.0", "2.0.0"]);
  });

  it("reply in the protocol's form, and mask the cause, where a facade fails", async () => {
    const faults: unknown[] = [];
    const [mounted] = mount(
      facade(() => [
        route(() => {
          throw new Error("secret");
        }),
      ]),
    );
    const answer = await mounted?.answer(received, (thrown) => faults.push(thrown));
    expect(answer).toMatchObject({ status: 500, body: '{"refused":"INTERNAL_ERROR"}' });
    expect(faults).toEqual([new Error("secret")]);
  });

  it("learn that the host does not serve a decision, and not that an evaluation failed", async () => {
    const faults: unknown[] = [];
    const other = defineDecision({ id: "other", version: "1", ...schemas, rules: [failing] });
    const [mounted] = mount(
      facade((host) => [route(async (request) => pick(await host.evaluate(request, other, () => 1)))]),
    );
    await mounted?.answer(received, (thrown) => faults.push(thrown));
    expect(faults).toMatchObject([{ code: "DECISION_NOT_FOUND" }]);
    const [own] = mount(
      facade((host) => [route(async (request) => pick(await host.evaluate(request, other, () => 1)))]),
      { decisions: [one, echo("2.0.0"), other] },
    );
    expect(await own?.answer(received, failOn)).toMatchObject({ status: 500 });
  });

  it("may each be there once", () => {
    const same = facade(() => [route(() => ({ status: 200 })), route(() => ({ status: 204 }))]);
    expect(() => mount(same)).toThrow(/test serves POST \/test, as an earlier facade does/);
  });

  it.each([
    ["no facade", {}, /is not a facade/],
    ["another feature", { [feature]: "metrics" }, /is not a facade/],
    ["nothing", undefined, /is not a facade/],
    [
      "a version that is not served",
      { ...facade(() => []), decisions: [echo("3.0.0")] },
      /version 3.0.0 of "echo"/,
    ],
    [
      "another decision of that id and version",
      { ...facade(() => []), decisions: [echo("1.0.0")] },
      /version 1.0.0 of "echo"/,
    ],
  ])("are refused for %s", (_case, given, message) => {
    // JavaScript hosts can give anything.
    const facades = [given] as unknown as readonly Facade[];
    expect(() => createFeaturedService("test", { decisions: [one], facades }, {})).toThrow(message);
  });
});
