import { describe, expect, it } from "vitest";
import { type Framework, type OneDecision, starter } from "./framework.js";
import { gate, turn } from "./gate.js";
import { access, loan } from "./loan-and-access.js";

const boom = new Error("boom");
const throws = (): never => {
  throw boom;
};

/** Checks a middleware or hook that lets a request through only when a decision allows it. */
export function guardSuite<Request, Reply>(framework: Framework<Request, Reply>): void {
  const [way] = framework.ways.guard;

  describe(`${framework.name}, ${way}`, () => {
    const start = starter(framework);
    type Options = Partial<OneDecision<Request, Reply>>;

    /** A host that lets the role of the header `x-role` in, if it is admin. */
    async function host(options: Options = {}, around: Parameters<typeof start>[2] = {}) {
      const inputMapper = (request: Request) => ({ role: framework.raw(request).headers["x-role"] });
      const started = await start(way, { decision: access, inputMapper, ...options }, around);
      const send = (role = "admin", headers = {}) => started.send(undefined, { "x-role": role, ...headers });
      return { ...started, send, anonymous: () => started.send() };
    }

    it("lets a request through when the decision allows it, with the result at the request", async () => {
      const { send, entered, counted } = await host();
      const reply = await send("admin", { "x-request-id": "mine" });
      expect(reply).toMatchObject({ body: "the handler behind", headers: { "x-request-id": "mine" } });
      expect(entered).toEqual([expect.objectContaining({ status: "OK", data: { allowed: true } })]);
      expect(counted()).toEqual(["OK"]);
    });

    it("denies everything else with 403", async () => {
      const { send, anonymous, entered, handled, errors, counted } = await host();
      for (const reply of [await send("guest"), await anonymous()]) {
        expect(reply).toMatchObject({
          status: 403,
          headers: {
            "content-type": "application/json; charset=utf-8",
            "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
          },
        });
        expect(JSON.parse(reply.body)).toEqual({ error: "Access denied", code: "ACCESS_DENIED" });
      }
      expect({ entered, handled, errors }).toEqual({ entered: [], handled: [], errors: [] });
      expect(counted()).toEqual(["OK", "INVALID_INPUT"]);
    });

    it("gives a fault to the host's error handling, masked", async () => {
      const beforeEvaluate = () => {
        throw Object.assign(new Error("secret"), { statusCode: 401 });
      };
      const { send, entered, handled } = await host({ hooks: { beforeEvaluate } });
      expect(await send()).toMatchObject({ status: 401, body: "the host's" });
      expect(entered).toEqual([]);
      expect(handled).toMatchObject([
        { error: { code: "EVALUATION_ABORTED", message: "Evaluation refused" } },
      ]);
    });

    it("passes the error of a callback that fails to the host's error handling", async () => {
      for (const failing of [throws, () => Promise.reject(boom)]) {
        for (const options of [{ inputMapper: failing }, { profileResolver: failing }]) {
          const { send, entered, handled, errors } = await host(options);
          expect(await send()).toMatchObject({ status: 500, body: "the host's" });
          expect(entered).toEqual([]);
          expect(handled).toEqual([{ error: boom, status: undefined }]);
          expect(errors).toEqual([boom]);
        }
      }
    });

    it("onDeny that doesn't reply leaves the 403", async () => {
      const seen: unknown[] = [];
      const { send } = await host({
        onDeny: (result, request) => void seen.push([result.status, framework.raw(request).url]),
      });
      expect(await send("guest")).toMatchObject({ status: 403 });
      expect(seen).toEqual([["OK", `/${access.id}`]]);
    });

    it("onDeny that throws goes to the host's error handling, and is reported once", async () => {
      for (const onDeny of [throws, () => Promise.reject(boom)]) {
        const { send, entered, handled, errors, counted } = await host({ onDeny });
        expect(await send("guest")).toMatchObject({ status: 500 });
        expect(entered).toEqual([]);
        expect(handled).toMatchObject([{ error: boom }]);
        expect(errors).toEqual([boom]);
        expect(counted()).toEqual(["OK"]);
      }
    });

    it("onDeny does not run when access is allowed", async () => {
      const { send } = await host({ onDeny: throws });
      expect(await send()).toMatchObject({ body: "the handler behind" });
    });

    it("lets isDenied decide instead, and reports once when it throws", async () => {
      const { send } = await host({
        isDenied: (result) => result.status === "OK" && Reflect.get(Object(result.data), "allowed") === true,
      });
      expect(await send("guest")).toMatchObject({ body: "the handler behind" });
      expect(await send()).toMatchObject({ status: 403 });
      const failing = await host({ isDenied: throws });
      expect(await failing.send()).toMatchObject({ status: 500 });
      expect(failing.entered).toEqual([]);
      expect(failing.handled).toMatchObject([{ error: boom }]);
      expect(failing.errors).toEqual([boom]);
      expect(failing.counted()).toEqual(["OK"]);
    });

    it("does not run the handler when somebody replied in the meantime", async () => {
      const replied = gate();
      let pending: Reply | undefined;
      const inputMapper = () => {
        if (pending !== undefined) framework.reply(pending, 504, "too slow");
        return replied.opened.then(() => ({ role: "admin" }));
      };
      const before = (_request: Request, reply: Reply) => {
        pending = reply;
      };
      const { send, entered, counted } = await host({ inputMapper }, { before });
      expect(await send()).toMatchObject({ status: 504, body: "too slow" });
      replied.open();
      await expect.poll(counted).toEqual(["OK"]);
      await turn();
      expect(entered).toEqual([]);
    });

    it("keeps one id for all the decisions of a request", async () => {
      const inputMapper = () => ({ role: "admin" });
      const { events, ...guarded } = await start(
        way,
        { decision: access, inputMapper },
        { behind: { decision: loan } },
      );
      const reply = await guarded.send({ score: 700 });
      const id = reply.headers["x-request-id"];
      expect(JSON.parse(reply.body)).toMatchObject({ status: "OK" });
      expect(events.map(({ context }) => context.requestId)).toEqual([id, id]);
    });

    it("refuses a decision that neither allows nor denies, and unknown options", async () => {
      const silent = { ...loan, outputSchema: access.inputSchema };
      await expect(start(way, { decision: silent })).rejects.toThrow(/isDenied/);
      await expect(host({ onResult: () => {} })).rejects.toThrow(/onResult/);
    });
  });
}
