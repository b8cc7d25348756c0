import { afterEach, describe, expect, it } from "vitest";
import type { Feature, FeatureRoute } from "../../packages/core/src/index.js";
import { DecernError, defineDecision } from "../../packages/core/src/index.js";
import type { CatalogueHost, MountedCatalogue } from "./catalogue-suite.js";
import { anything } from "./suite-decisions.js";

const echo = (version: string) =>
  defineDecision({
    id: "echo",
    version,
    inputSchema: anything,
    outputSchema: anything,
    profileSchema: anything,
    rules: [{ id: "all", when: () => true, emit: (input) => ({ version, input }) }],
  });

const decisions = [echo("1.0.0"), echo("2.0.0")] as const;
const json = { "content-type": "application/json" };

/** A feature of a host's own, on every host alike. */
export function featureSuite(name: string, { mount }: CatalogueHost): void {
  describe(`${name}: features of the host's own`, () => {
    const open: MountedCatalogue[] = [];
    afterEach(async () => {
      for (const mounted of open.splice(0)) await mounted.close?.();
    });

    const start = async (...features: readonly Feature[]) => {
      const mounted = await mount({
        decisions,
        versions: { echo: { default: "1.0.0", retired: ["0.9.0"] } },
        logger: { error: () => {}, warn: () => {} },
        features,
      });
      open.push(mounted);
      const root = mounted.prefix.slice(0, -"/decisions".length);
      return {
        post: (path: string, body: unknown = {}) => mounted.post(root + path, json, JSON.stringify(body)),
        ofDecision: (path: string, input: unknown) =>
          mounted.post(mounted.prefix + path, json, path.includes("echo") ? bodyOf(mounted, input) : "{}"),
      };
    };
    const bodyOf = ({ prefix }: MountedCatalogue, input: unknown): string =>
      JSON.stringify(prefix === "/decisions" ? { input } : input);
    const route = (answer: FeatureRoute["answer"], more: Partial<FeatureRoute> = {}): FeatureRoute => ({
      method: "POST",
      path: "/own",
      answer,
      ...more,
    });

    it("reply on their routes, and evaluate as the decision's own route does", async () => {
      const seen: string[] = [];
      const after: string[] = [];
      const { post } = await start({
        name: "own",
        observer: { onEvaluated: ({ status }) => void seen.push(status) },
        routes: (host) => [
          route(
            async (request) => {
              request.afterwards(() => after.push(`${request.params["key"]}`));
              const { status, result } = await host.evaluate(request, decisions[0], () => request.body);
              return { status, body: JSON.stringify(result), headers: { "x-own": "yes" } };
            },
            { path: "/own/:key" },
          ),
        ],
      });
      const reply = await post("/own/a%20b", { n: 1 });
      expect({
        status: reply.status,
        own: reply.headers["x-own"],
        body: JSON.parse(reply.body),
      }).toMatchObject({
        status: 200,
        own: "yes",
        body: { status: "OK", data: { version: "1.0.0", input: { n: 1 } } },
      });
      expect(seen).toEqual(["OK"]);
      await expect.poll(() => after).toEqual(["a b"]);
    });

    it("may send another type than JSON", async () => {
      const answer = () => ({ status: 201, body: "hello", headers: { "content-type": "text/plain" } });
      const { post } = await start({ name: "own", routes: () => [route(answer)] });
      const { status, headers, body } = await post("/own");
      expect({ status, type: headers["content-type"], body }).toEqual({
        status: 201,
        type: expect.stringMatching(/^text\/plain/),
        body: "hello",
      });
    });

    it("can have routes below each decision and each version", async () => {
      const { ofDecision } = await start({
        name: "own",
        routes: (host) => [
          route(
            async (request) => {
              const { call } = await host.callOf(request);
              return { status: 200, body: JSON.stringify([call.decision.version, call.input]) };
            },
            { ofDecision: true },
          ),
        ],
      });
      const ask = async (path: string) => JSON.parse((await ofDecision(path, { n: 2 })).body);
      expect(await ask("/echo/own")).toEqual(["1.0.0", { n: 2 }]);
      expect(await ask("/echo/versions/2.0.0/own")).toEqual(["2.0.0", { n: 2 }]);
      expect((await ofDecision("/echo/versions/9/own", {})).status).toBe(404);
      expect((await ofDecision("/echo/versions/0.9.0/own", {})).status).toBe(410);
    });

    it("evaluate lists in order, and one at a time where one of them may be the last", async () => {
      const evaluated: unknown[] = [];
      const { post } = await start({
        name: "own",
        routes: (host) => [
          route(async (request) => {
            const one = async (n: number) => {
              evaluated.push(n);
              await host.evaluate(request, decisions[0], () => n);
              return n;
            };
            const all = await host.evaluateAll(request, [1, 2, 3], one);
            const first = await host.evaluateAll(request, [4, 5, 6], one, (n) => n === 5);
            return { status: 200, body: JSON.stringify({ all, first }) };
          }),
        ],
      });
      expect(JSON.parse((await post("/own")).body)).toEqual({ all: [1, 2, 3], first: [4, 5] });
      expect(evaluated).toEqual([1, 2, 3, 4, 5]);
    });

    it("that fail are the host's errors", async () => {
      const { post } = await start({
        name: "own",
        routes: () => [
          route(() => {
            throw new DecernError("INTERNAL_ERROR");
          }),
        ],
      });
      expect((await post("/own")).status).toBe(500);
    });

    it.each<[string, unknown, RegExp]>([
      ["what has no name", {}, /\/features\/0\/name/],
      ["what is no object", 1, /\/features\/0/],
      ["an observer that watches nothing", { name: "own", observer: {} }, /\/features\/0\/observer/],
      [
        "what they find themselves",
        { name: "own", check: () => [{ path: "/limit", message: "is too low" }] },
        /\/features\/0\/limit: is too low/,
      ],
      [
        "a path that is none",
        { name: "own", routes: () => [route(() => ({ status: 200 }), { path: "own" })] },
        /own serves POST own/,
      ],
      [
        "a route twice",
        { name: "own", routes: () => [1, 2].map(() => route(() => ({ status: 200 }))) },
        /own serves POST \/own, as an earlier feature does/,
      ],
    ])("are rejected for %s", async (_what, feature, message) => {
      await expect((async () => start(feature as Feature))()).rejects.toThrow(message);
    });
  });
}
