import { describe, expect, it } from "vitest";
import { type Framework, starter } from "./framework.js";
import { access } from "./loan-and-access.js";

const boom = new Error("boom");

/** Checks that a request gets one reply: the host's own stands, even where something holds it back. */
export function oneReplySuite<Request, Reply>(framework: Framework<Request, Reply>): void {
  const { set, one, guard } = framework.ways;
  const callers = [...one, guard[0]];

  describe.each([undefined, ...framework.delays])(`${framework.name}, replies held back by %s`, (delay) => {
    const start = starter(framework);

    /** Runs a callback that may reply: `onResult`, or a guard's `onDeny`. */
    const withCallback = (way: string, callback: (reply: Reply) => unknown) => {
      const run = (_result: unknown, _request: Request, reply: Reply) => callback(reply);
      const inputMapper = () => ({ role: "guest" });
      const options = way === guard[0] ? { onDeny: run } : { onResult: run };
      return start(way, { decision: access, inputMapper, ...options }, { delay });
    };
    it("a decision's own reply arrives complete", async () => {
      const { app, send } = await start(set, { decision: access }, { delay });
      const reply = await send({ role: "admin" });
      expect(JSON.parse(reply.body)).toMatchObject({ status: "OK", data: { allowed: true } });
      const malformed = await app.send(access.id, {}, "{");
      expect(malformed).toMatchObject({ status: 400, body: expect.stringContaining("INVALID_JSON") });
    });

    const nothingElse = { handled: [], entered: [], errors: [] };

    it.each(callers.flatMap((way) => framework.replies.map((reply) => [way, reply.name, reply] as const)))(
      "a callback of %s replies by %s: it arrives unchanged",
      async (way, _name, own) => {
        const { send, handled, entered, errors } = await withCallback(way, own.send);
        const reply = await send();
        expect(reply).toMatchObject({ status: own.status, body: expect.stringContaining(own.text) });
        expect(reply.headers).not.toHaveProperty("x-request-id");
        expect(reply.body).not.toMatch(/matchedRule|ACCESS_DENIED/);
        expect({ handled, entered, errors }).toEqual(nothingElse);
      },
    );

    it.each(callers)("a callback of %s replies and then throws: the reply stands", async (way) => {
      const { send, handled, entered, errors, counted, logged } = await withCallback(way, (reply) => {
        framework.reply(reply, 202, "own");
        throw boom;
      });
      expect(await send()).toMatchObject({ status: 202, body: "own" });
      expect({ handled, entered, errors, logged }).toEqual({
        ...nothingElse,
        errors: [boom],
        logged: [boom],
      });
      expect(counted()).toEqual(["OK"]);
    });

    it.each([set, ...callers])(
      "the host gives up on %s, which finishes later: its reply stands",
      async (way) => {
        for (const fails of [false, true]) {
          let giveUp = (): void => {};
          const hooks = {
            // As a time-out of the host's, which comes while the hook is waited for.
            beforeEvaluate: async () => {
              await Promise.resolve();
              giveUp();
              if (fails) throw boom;
            },
          };
          const before = (_request: Request, reply: Reply) => {
            giveUp = () => framework.reply(reply, 504, "gave up");
          };
          const options = way === set ? {} : { inputMapper: () => ({ role: "admin" }) };
          const started = await start(way, { decision: access, hooks, ...options }, { before, delay });
          const reply = await started.send({ role: "admin" });
          expect(reply).toMatchObject({ status: 504, body: "gave up" });
          expect(reply.headers["content-type"]).not.toMatch(/json/);
          expect(started).toMatchObject({ handled: [], entered: [] });
        }
      },
    );
  });
}
