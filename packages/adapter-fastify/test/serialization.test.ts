import { defineDecision } from "@decern/core";
import Fastify, { type FastifyInstance, type RouteOptions } from "fastify";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { access } from "../../../test/suites/loan-and-access.js";
import {
  createDecisionHandler,
  createDecisionHook,
  createDecisionRoute,
  decisionPlugin,
} from "../src/index.js";

type More = Partial<Pick<RouteOptions, "schema" | "preSerialization">>;

/** What the first rule of {@link loan} returns every time. The schema passes the limits on as they are. */
const shared = { approved: true, rate: 4.9, limits: [{ upTo: 1000 }] };

const loan = defineDecision({
  id: "loan",
  version: "1.2.0",
  inputSchema: z.object({ score: z.number().int() }),
  outputSchema: z.object({ approved: z.boolean(), rate: z.number(), limits: z.unknown() }),
  profileSchema: z.object({}),
  rules: [
    { id: "standard", when: (input) => input.score >= 600, emit: () => shared },
    { id: "too-low", when: (input) => input.score > 0, emit: () => ({ ...shared, approved: false }) },
  ],
});

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

  it("sends the whole envelope if a hook passes the result on", async () => {
    const plain = Fastify();
    mount(plain, {});
    const hooked = Fastify();
    mount(hooked, { preSerialization: async (_request, _reply, payload) => payload });
    const [one, other] = [await post(plain, { score: 700 }), await post(hooked, { score: 700 })];
    expect(one.json().data).toEqual(shared);
    expect({ ...other.json(), meta: 0 }).toEqual({ ...one.json(), meta: 0 });
  });

  it("sends what preSerialization hooks change in place, and keeps it out of later replies", async () => {
    const app = Fastify();
    let isChanging = true;
    mount(app, {
      preSerialization: async (_request, _reply, payload) => {
        if (isChanging) Object.assign(payload as object, { servedBy: "us" });
        if (isChanging) Reflect.set((payload as { data: { limits: object[] } }).data.limits, 0, "hidden");
        return payload;
      },
    });
    const changed = (await post(app, { score: 700 })).json();
    expect(changed).toMatchObject({ servedBy: "us", data: { rate: 4.9, limits: ["hidden"] } });
    isChanging = false;
    const unchanged = (await post(app, { score: 700 })).json();
    expect(unchanged).toMatchObject({ data: { limits: [{ upTo: 1000 }] } });
    expect(unchanged).not.toHaveProperty("servedBy");
    expect(shared.limits).toEqual([{ upTo: 1000 }]);
  });

  it("sends whatever a preSerialization hook leaves of the result", async () => {
    const app = Fastify();
    let change: (payload: object) => void = () => {};
    let left = "";
    mount(app, {
      preSerialization: (request, _reply, payload, done) => {
        change(payload as object);
        // The same object under another name.
        expect(request.decision).toBe(payload);
        left = JSON.stringify(payload);
        done(null, payload);
      },
    });
    for (const score of [700, 100, 0, "x"]) {
      let count = 1;
      for (let at = 0; at < count; at += 1) {
        for (const act of changes) {
          change = (payload) => {
            const places = placesIn(payload);
            count = places.length;
            const [owner, key] = places[at] ?? [payload, "added"];
            act(owner, key);
          };
          expect((await post(app, { score })).body).toBe(left);
        }
      }
      expect(count).toBeGreaterThan(5);
    }
  });

  it("applies a reply serializer of the instance, to results and to refusals", async () => {
    const app = Fastify();
    app.setReplySerializer((payload, status) => JSON.stringify({ status, payload }));
    mount(app, {});
    expect((await post(app, { score: 700 })).json()).toMatchObject({
      status: 200,
      payload: { data: shared },
    });
    const refused = await app.inject({
      method: "POST",
      url: "/loan",
      headers: { "content-type": "text/plain" },
      body: "x",
    });
    expect(refused.json()).toMatchObject({ status: 415, payload: { code: "UNSUPPORTED_MEDIA_TYPE" } });
  });

  it("applies a serializer compiler of the instance to the response schema of its route", async () => {
    const app = Fastify();
    app.setSerializerCompiler(
      ({ httpStatus }) =>
        (payload) =>
          JSON.stringify({ httpStatus, payload }),
    );
    mount(app, { schema: { response: { 200: statusOnly } } });
    expect((await post(app, { score: 700 })).json()).toMatchObject({
      httpStatus: "200",
      payload: { data: shared },
    });
  });

  it("applies response schemas and preSerialization hooks to refusals", async () => {
    const app = Fastify();
    mount(app, {
      schema: { response: { "4xx": { type: "object", properties: { code: { type: "string" }, own: {} } } } },
      preSerialization: async (_request, _reply, payload) => ({ ...(payload as object), own: 1 }),
    });
    const refused = await app.inject({
      method: "POST",
      url: "/loan",
      headers: { "content-type": "text/plain" },
      body: "x",
    });
    expect({ statusCode: refused.statusCode, body: refused.json() }).toEqual({
      statusCode: 415,
      body: { code: "UNSUPPORTED_MEDIA_TYPE", own: 1 },
    });
  });
});

/** What a hook may do to one property. */
const changes: readonly ((owner: object, key: string) => void)[] = [
  (owner, key) => void Reflect.set(owner, key, Reflect.get(owner, key)),
  (owner, key) => void Reflect.deleteProperty(owner, key),
  (owner, key) => void Reflect.set(owner, key, null),
  (owner, key) => void Reflect.set(owner, key, { toJSON: () => "own form" }),
  (owner, key) => void Reflect.defineProperty(owner, key, { get: () => "got", enumerable: true }),
  (owner) => void Reflect.defineProperty(owner, "toJSON", { value: () => "own form", enumerable: false }),
];

/** Every property of a value, with the object that has it, and one that it lacks. */
function placesIn(value: unknown): readonly (readonly [object, string])[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => [[value, key] as const, ...placesIn(item)]);
  return Array.isArray(value) ? inner : [...inner, [value, "added"]];
}

describe("createDecisionHook", () => {
  it("applies response schemas, serializers and preSerialization hooks to its denials", async () => {
    const app = Fastify();
    app.setReplySerializer((payload, status) => JSON.stringify({ status, payload }));
    app.addHook("preSerialization", async (_request, _reply, payload) => ({
      ...(payload as object),
      own: 1,
    }));
    const preHandler = createDecisionHook({ decision: access, inputMapper: () => ({ role: "guest" }) });
    app.get("/", { preHandler }, async () => "in");
    const denied = await app.inject({ url: "/" });
    expect({ statusCode: denied.statusCode, body: denied.json() }).toEqual({
      statusCode: 403,
      body: { status: 403, payload: { error: "Access denied", code: "ACCESS_DENIED", own: 1 } },
    });
  });
});
