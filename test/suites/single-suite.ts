import { describe, expect, it, vi } from "vitest";
import { type Framework, type OneDecision, starter } from "./framework.js";
import { gate, turn } from "./gate.js";
import { loan } from "./loan-and-access.js";

const never = (): Promise<never> => new Promise(() => {});
const boom = new Error("boom");
const throws = (): never => {
  throw boom;
};
const rejects = () => Promise.reject(boom);

/** Checks what serves one decision at a route of the host's: its callbacks, their faults and its options. */
export function singleSuite<Request, Reply>(framework: Framework<Request, Reply>): void {
  describe.each(framework.ways.one)(`${framework.name}, %s`, (way) => {
    const start = starter(framework);
    type Options = Partial<OneDecision<Request, Reply>>;

    async function host(options: Options = {}, around: Parameters<typeof start>[2] = {}) {
      const started = await start(way, { decision: loan, ...options }, around);
      const send = (body: unknown = { score: 700 }, headers = {}) => started.send(body, headers);
      return { ...started, send, ask: async (body?: unknown) => JSON.parse((await send(body)).body) };
    }

    it("replies with the decision, and doesn't run later handlers", async () => {
      const { ask, send, entered } = await host();
      expect(await ask()).toMatchObject({ status: "OK", data: { approved: true } });
      expect(await send({ score: "x" })).toMatchObject({ status: 400 });
      expect(entered).toEqual([]);
    });

    it("takes a fixed profile, or profile and input from the request, at once or later", async () => {
      const tooLow = { meta: { matchedRule: "too-low" } };
      expect(await (await host({ profile: { minScore: 800 } })).ask()).toMatchObject(tooLow);
      const header = (request: Request, name: string) => Number(framework.raw(request).headers[name]);
      const limit = (request: Request) => ({ minScore: header(request, "x-limit") });
      const score = (request: Request) => ({ score: header(request, "x-score") });
      for (const options of [
        { profileResolver: limit, inputMapper: async (request: Request) => score(request) },
        { profileResolver: async (request: Request) => limit(request), inputMapper: score },
      ]) {
        const { app } = await host(options);
        for (const [given, rule] of [
          ["499", "too-low"],
          ["500", "standard"],
        ] as const) {
          const reply = await app.send(loan.id, { "x-limit": "500", "x-score": given }, undefined);
          expect(JSON.parse(reply.body)).toMatchObject({ meta: { matchedRule: rule } });
        }
      }
    });

    it.each<readonly [string, Options]>([
      ["inputMapper throws", { inputMapper: throws }],
      ["inputMapper rejects", { inputMapper: rejects }],
      ["profileResolver throws", { profileResolver: throws }],
      ["profileResolver rejects", { profileResolver: rejects }],
      ["both reject", { inputMapper: rejects, profileResolver: rejects }],
      [
        "one rejects, one throws",
        { inputMapper: () => Promise.reject(new Error("late")), profileResolver: throws },
      ],
    ])("gives the host's error handling the thrown error when %s", async (_name, options) => {
      const { send, handled, errors, counted } = await host(options);
      const reply = await send({ score: 700 }, { "x-request-id": "mine" });
      expect(reply).toMatchObject({ body: "the host's", headers: { "x-request-id": "mine" } });
      expect(handled).toEqual([{ error: boom, status: undefined }]);
      expect(errors).toEqual([boom]);
      expect(counted()).toEqual(["ERROR"]);
    });

    it.each([undefined, null, 0, "", "text", "route", "router", { status: 200 }, { statusCode: 200 }])(
      "wraps a thrown %j, which a framework may misread, in an error",
      async (thrown) => {
        const { send, handled, errors, counted } = await host({
          profileResolver: () => Promise.reject(thrown),
        });
        const told = thrown === undefined ? expect.objectContaining({ code: "INTERNAL_ERROR" }) : thrown;
        expect(await send()).toMatchObject({ body: "the host's" });
        expect(errors).toEqual([told]);
        expect(counted()).toEqual(["ERROR"]);
        const error = expect.objectContaining({ code: "INTERNAL_ERROR", cause: thrown });
        expect(handled).toEqual([{ error, status: undefined }]);
      },
    );

    it("times out callbacks that never settle", async () => {
      for (const options of [{ inputMapper: never }, { profileResolver: never }]) {
        const { send, handled, errors, counted } = await host({ ...options, hookTimeoutMs: 20 });
        expect(await send()).toMatchObject({ status: 503 });
        expect(errors).toHaveLength(1);
        expect(counted()).toEqual(["ERROR"]);
        const error = expect.objectContaining({ code: "HOOK_TIMEOUT" });
        expect(handled).toEqual([{ error, status: undefined }]);
      }
    });

    it("hands an error of the clock to the host's error handling", async () => {
      const { send, handled } = await host({ clock: { now: throws, monotonic: () => 0 } });
      expect(await send()).toMatchObject({ body: "the host's" });
      expect(handled).toEqual([{ error: boom, status: undefined }]);
    });

    it("blames the host for a resolved profile that breaks its schema", async () => {
      const { send, handled, errors, counted } = await host({ profileResolver: () => ({ minScore: "x" }) });
      expect(await send()).toMatchObject({ body: "the host's" });
      expect(errors).toHaveLength(1);
      expect(counted()).toEqual(["ERROR"]);
      const error = expect.objectContaining({ code: "INVALID_HOST_PROFILE" });
      expect(handled).toEqual([{ error, status: undefined }]);
    });

    it("runs onResult before the reply, with the result also at the request; it may add headers", async () => {
      const seen: unknown[] = [];
      const { send } = await host({
        onResult: async (result, request, reply) => {
          await Promise.resolve();
          const isAtRequest = framework.decision(request) === result;
          seen.push({ status: result.status, isAtRequest, isSent: framework.isSent(reply) });
          framework.setHeader(reply, "x-own", "1");
        },
      });
      expect(await send()).toMatchObject({ status: 200, headers: { "x-own": "1" } });
      expect(seen).toEqual([{ status: "OK", isAtRequest: true, isSent: false }]);
    });

    it("does not run onResult on a fault", async () => {
      const onResult = vi.fn();
      expect(await (await host({ onResult })).send({ score: 13 })).toMatchObject({ status: 500 });
      expect(onResult).not.toHaveBeenCalled();
    });

    it.each([
      ["throws", throws],
      ["rejects", rejects],
    ])(
      "gives an onResult that %s to the host's error handling; not counted again",
      async (_name, onResult) => {
        const { send, handled, errors, counted } = await host({ onResult });
        expect(await send()).toMatchObject({ body: "the host's" });
        expect(errors).toEqual([boom]);
        expect(counted()).toEqual(["OK"]);
        expect(handled).toEqual([{ error: boom, status: "OK" }]);
      },
    );

    it("times out an onResult that never settles; one that returns nonsense changes nothing", async () => {
      const { send, handled, errors, counted } = await host({ onResult: never, hookTimeoutMs: 20 });
      expect(await send()).toMatchObject({ status: 503 });
      expect(errors).toHaveLength(1);
      expect(counted()).toEqual(["OK"]);
      expect(handled).toHaveLength(1);
      const nonsense = await host({ onResult: () => ({ status: "HACKED" }) });
      expect(await nonsense.ask()).toMatchObject({ status: "OK" });
    });

    it("sends nothing if the host has replied in the meantime", async () => {
      for (const end of [() => ({ minScore: 1 }), throws]) {
        const replied = gate();
        let pending: Reply | undefined;
        const profileResolver = () => {
          if (pending !== undefined) framework.reply(pending, 504, "too slow");
          return replied.opened.then(end);
        };
        const before = (_request: Request, reply: Reply) => {
          pending = reply;
        };
        const { send, handled, counted } = await host({ profileResolver }, { before });
        expect(await send()).toMatchObject({ status: 504, body: "too slow" });
        replied.open();
        await expect.poll(counted).toHaveLength(1);
        await turn();
        expect(handled).toEqual([]);
      }
    });

    it.each<readonly [unknown, RegExp]>([
      [{ profile: {}, profileResolver: () => ({}) }, /profile and profileResolver contradict/],
      [{ profile: { minScore: "x" } }, /profile/],
      [{ onDeny: () => {} }, /onDeny/],
      [{ onResult: 1, inputMapper: "body" }, /inputMapper: must be a function/],
      [{ decision: undefined }, /decision/],
      [{ decision: { id: "x" } }, /defineDecision/],
    ])("refuses the options %#", async (options, message) => {
      // JavaScript hosts can write these.
      await expect(host(options as Options)).rejects.toMatchObject({
        code: "INVALID_OPTIONS",
        message: expect.stringMatching(message),
      });
    });
  });
}
