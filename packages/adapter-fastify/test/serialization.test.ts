import Fastify, { type FastifyInstance, type RouteOptions } from "fastify";
import { describe, expect, it } from "vitest";
import { createDecisionHandler, createDecisionRoute, decisionPlugin } from "../src/index.js";
import { loan } from "./decisions.js";

type More = Partial<Pick<RouteOptions, "schema" | "preSerialization">>;

/** Every way to serve a decision, with what a host adds to its routes. */
const ways: Readonly<Record<string, (app: FastifyInstance, more: More) => void>> = {
  createDecisionHandler: (app, more) =>
    void app.route({
      method: "POST",
      url: "/loan",
      handler: createDecisionHandler({ decision: loan }),
      ...more,
    }),
  createDecisionRoute: (app, more) =>
    void app.route({ ...createDecisionRoute({ url: "/loan", decision: loan }), ...more }),
  decisionPlugin: (app, more) => {
    app.addHook("onRoute", (route) => void Object.assign(route, more));
    void app.register(decisionPlugin, { decisions: [loan] });
  },
};

const statusOnly = { type: "object", properties: { status: { type: "string" } } };

async function post(app: FastifyInstance, body: object) {
  const reply = await app.inject({ method: "POST", url: "/loan", body });
  expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  return reply;
}

describe.each(Object.entries(ways))("%s", (_name, mount) => {
  it("applies the response schema of its route", async () => {
    const app = Fastify();
    mount(app, { schema: { response: { 200: statusOnly } } });
    expect((await post(app, { score: 700 })).body).toBe('{"status":"OK"}');
    const refused = await post(app, { score: "x" });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ status: "INVALID_INPUT", errors: [{ path: "/score" }] });
  });

  it("runs preSerialization hooks, of its route and of the instance", async () => {
    const app = Fastify();
    app.addHook("preSerialization", async (_request, _reply, payload) => ({ outer: payload }));
    mount(app, { preSerialization: async (_request, _reply, payload) => ({ inner: payload }) });
    expect((await post(app, { score: 700 })).json()).toMatchObject({
      inner: { outer: { status: "OK", data: { approved: true } } },
    });
  });

  it("runs preSerialization hooks before it applies the response schema", async () => {
    const app = Fastify();
    mount(app, {
      schema: { response: { 200: statusOnly } },
      preSerialization: async () => ({ status: "changed", more: 1 }),
    });
    expect((await post(app, { score: 700 })).body).toBe('{"status":"changed"}');
  });

  it("sends the whole envelope where a hook passes the result on", async () => {
    const plain = Fastify();
    mount(plain, {});
    const hooked = Fastify();
    mount(hooked, { preSerialization: async (_request, _reply, payload) => payload });
    const [one, other] = [await post(plain, { score: 700 }), await post(hooked, { score: 700 })];
    expect(one.json().data).toEqual({ approved: true, rate: 4.9 });
    expect({ ...other.json(), meta: 0 }).toEqual({ ...one.json(), meta: 0 });
  });
});
