import { authzen } from "@decern/authzen";
import { defineDecision, type EvaluationEvent, type Hooks } from "@decern/core";
import { metrics } from "@decern/metrics";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { ask, canAccess, facade, silent } from "./can-access.js";
import { type FacadeHostOptions, hosts, post } from "./facade-hosts.js";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

describe.each(Object.entries(hosts))("AuthZEN 1.0 over %s", (_name, start) => {
  const mount = async (options: Partial<FacadeHostOptions> = {}) => {
    const host = await start({ decisions: [canAccess], facades: [facade], logger: silent, ...options });
    endings.push(() => host.close());
    const one = `${host.url}/access/v1/evaluation`;
    const all = `${host.url}/access/v1/evaluations`;
    return {
      url: host.url,
      one: (body: unknown, headers?: Record<string, string>) => post(one, body, headers),
      all: (body: unknown, headers?: Record<string, string>) => post(all, body, headers),
      decisions: async (body: unknown) => {
        const reply = await post(all, body);
        expect(reply.status).toBe(200);
        return (reply.body as { evaluations: { decision: unknown }[] }).evaluations.map(
          ({ decision }) => decision,
        );
      },
    };
  };

  // Section "Required Policy Behaviour" of the OpenID Foundation's certification scenario.
  it.each([
    ["alice reads", ask("alice", "read"), true],
    ["alice writes", ask("alice", "write"), true],
    ["bob reads", ask("bob", "read"), true],
    ["bob writes", ask("bob", "write"), false],
    ["alice writes what is archived", ask("alice", "write", { status: "archived" }), false],
    ["an admin writes what is archived", ask("bob", "write", { role: "admin", status: "archived" }), true],
    ["alice deletes softly", ask("alice", "delete", { soft: true }), true],
    ["alice deletes", ask("alice", "delete", { soft: false }), false],
    ["with a context", { ...ask("alice", "read"), context: { time: "2025-06-27T18:03-07:00" } }, true],
    ["with members from the future", { ...ask("alice", "read"), foo: "bar", later: { nested: true } }, true],
  ])("decides: %s", async (_case, body, decision) => {
    const { one } = await mount();
    const reply = await one(body);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(reply.body).toMatchObject({ decision });
  });

  it("says which rule of which version decided, and why", async () => {
    const { one } = await mount();
    expect((await one(ask("alice", "write", { status: "archived" }))).body).toEqual({
      decision: false,
      context: {
        decision: "can-access",
        version: "1.0.0",
        rule: "archived",
        reason: "Archived records are read only",
      },
    });
  });

  const { subject, action, resource } = ask("alice", "read");
  it.each([
    ["no subject", { action, resource }],
    ["no action", { subject, resource }],
    ["no resource", { subject, action }],
    ["no subject.type", { subject: { id: "alice" }, action, resource }],
    ["no subject.id", { subject: { type: "user" }, action, resource }],
    ["no action.name", { subject, action: {}, resource }],
    ["no resource.type", { subject, action, resource: { id: "record-1" } }],
    ["no resource.id", { subject, action, resource: { type: "record" } }],
    ["a subject that is a text", { subject: "alice", action, resource }],
    ["an action.name that is a number", { subject, action: { name: 123 }, resource }],
    ["properties that are a list", { subject: { ...subject, properties: [] }, action, resource }],
    ["a context that is a text", { subject, action, resource, context: "now" }],
    ["malformed JSON", "{"],
    ["an empty body", ""],
    ["a list", []],
    ["an input that breaks the decision's schema", { subject, action: { name: "fly" }, resource }],
  ])("refuses %s with 400 and a message", async (_case, body) => {
    const { one } = await mount();
    const reply = await one(body, { "x-request-id": "id of the caller/1" });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(expect.any(String));
    expect(reply.headers.get("x-request-id")).toBe("id of the caller/1");
    expect(reply.headers.get("cache-control")).toBe("no-store");
  });

  it("refuses what is not sent as JSON with 400", async () => {
    const { one } = await mount();
    const reply = await one(ask("alice", "read"), { "content-type": "text/plain" });
    expect(reply).toMatchObject({ status: 400, body: expect.any(String) });
  });

  it("sends back any request id, and one of its own where there was none", async () => {
    const { one, all, url } = await mount();
    const id = "bfe9eb29 / [any] text";
    expect((await one(ask("alice", "read"), { "x-request-id": id })).headers.get("x-request-id")).toBe(id);
    const several = { evaluations: [ask("alice", "read")] };
    expect((await all(several, { "x-request-id": id })).headers.get("x-request-id")).toBe(id);
    expect((await one(ask("alice", "read"))).headers.get("x-request-id")).toMatch(/^[\w.-]{1,128}$/);
    const metadata = await fetch(`${url}/.well-known/authzen-configuration`, {
      headers: { "x-request-id": id },
    });
    expect(metadata.headers.get("x-request-id")).toBe(id);
  });

  it("serves the metadata, whose identifier is the host's, not the caller's", async () => {
    const { url } = await mount();
    const reply = await fetch(`${url}/.well-known/authzen-configuration`);
    expect(reply.headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(await reply.json()).toEqual({
      policy_decision_point: "https://pdp.example.com",
      access_evaluation_endpoint: "https://pdp.example.com/access/v1/evaluation",
      access_evaluations_endpoint: "https://pdp.example.com/access/v1/evaluations",
    });
  });

  describe("several evaluations", () => {
    it("takes what an entry lacks from the defaults, entity by entity", async () => {
      const { decisions } = await mount();
      const bob = ask("bob", "read");
      expect(
        await decisions({
          subject: bob.subject,
          resource: bob.resource,
          evaluations: [{ action: { name: "read" } }, { action: { name: "write" } }],
        }),
      ).toEqual([true, false]);
      expect(
        await decisions({
          subject,
          action: { name: "write" },
          // Its status must not reach an entry that has a resource of its own.
          resource: { type: "record", id: "record-2", properties: { status: "archived" } },
          evaluations: [
            { resource: { type: "record", id: "record-1", properties: { status: "active" } } },
            { resource: { type: "record", id: "record-1" } },
            {},
          ],
        }),
      ).toEqual([true, true, false]);
    });

    // Section 3.2.7 of the certification scenario: there is no merging below an entity.
    it.each([
      ["subject.type", { subject: { id: "alice" } }],
      ["subject.id", { subject: { type: "user", properties: { role: "admin" } } }],
      ["action.name", { action: { properties: { soft: true } } }],
      ["resource.type", { resource: { id: "record-1" } }],
      ["resource.id", { resource: { type: "record", properties: { status: "active" } } }],
    ])("denies an entry without %s, which its default has", async (path, item) => {
      const { all } = await mount();
      expect((await all({ ...ask("alice", "read"), evaluations: [item, {}] })).body).toMatchObject({
        evaluations: [
          { decision: false, context: { error: { status: 400, message: `${path} is missing` } } },
          { decision: true },
        ],
      });
    });

    it("denies an entry whose default is incomplete", async () => {
      const { all } = await mount();
      const defaults = { ...ask("alice", "read"), resource: { type: "record" } };
      expect(
        (await all({ ...defaults, evaluations: [{}, { resource: ask("", "").resource }] })).body,
      ).toMatchObject({
        evaluations: [
          { decision: false, context: { error: { status: 400, message: "resource.id is missing" } } },
          { decision: true },
        ],
      });
    });

    it("answers as for a single one where there are none", async () => {
      const { all } = await mount();
      expect((await all(ask("alice", "read"))).body).toMatchObject({ decision: true });
      expect((await all({ ...ask("bob", "write"), evaluations: [] })).body).toMatchObject({
        decision: false,
      });
      expect((await all({ evaluations: [] })).status).toBe(400);
    });

    it("denies an entry that cannot be evaluated, and says why, without failing the others", async () => {
      const { all } = await mount();
      const { body, status } = await all({
        action,
        resource,
        evaluations: [{ subject }, {}, null, { subject: { type: "user", id: "broken" } }, { subject }],
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        evaluations: [
          { decision: true },
          { decision: false, context: { error: { status: 400, message: "subject is missing" } } },
          { decision: false, context: { error: { status: 400 } } },
          { decision: false, context: { error: { status: 500, message: "Evaluation failed" } } },
          { decision: true },
        ],
      });
      expect(JSON.stringify(body)).not.toContain("secret");
    });

    const mixed = [ask("alice", "read"), ask("bob", "write"), ask("bob", "read"), ask("broken", "read")];
    it.each([
      [undefined, mixed, [true, false, true, false]],
      ["execute_all", mixed, [true, false, true, false]],
      ["deny_on_first_deny", mixed, [true, false]],
      ["deny_on_first_deny", [ask("broken", "read"), ask("alice", "read")], [false]],
      ["permit_on_first_permit", [...mixed].reverse(), [false, true]],
      ["permit_on_first_permit", [ask("bob", "write"), ask("broken", "read")], [false, false]],
    ])("ends as %s says", async (semantic, evaluations, expected) => {
      const events: EvaluationEvent[] = [];
      const { decisions } = await mount({
        observers: [{ onEvaluated: (event) => void events.push(event) }],
      });
      const options = semantic === undefined ? {} : { options: { evaluations_semantic: semantic, other: 1 } };
      expect(await decisions({ ...options, evaluations })).toEqual(expected);
      // What was not answered was not evaluated either.
      expect(events).toHaveLength(expected.length);
    });

    it.each([
      ["an unknown semantic", { options: { evaluations_semantic: "first" }, evaluations: [{}] }],
      ["options that are a text", { options: "all", evaluations: [{}] }],
      ["evaluations that are no list", { evaluations: {} }],
      ["more than the host takes", { evaluations: Array.from({ length: 41 }, () => ({})) }],
    ])("refuses %s with 400", async (_case, body) => {
      const { all } = await mount();
      const reply = await all(body);
      expect(reply).toMatchObject({ status: 400, body: expect.any(String) });
    });

    it("keeps the order over many", async () => {
      const { decisions } = await mount({ hooks: { beforeEvaluate: async () => undefined } });
      const bits = Array.from({ length: 40 }, (_, index) => index % 3 === 0);
      const evaluations = bits.map((bit) => ask("bob", bit ? "read" : "write"));
      expect(await decisions({ evaluations })).toEqual(bits);
    });
  });

  describe("a fault is never a yes", () => {
    const refusing = (statusCode: number): Hooks => ({
      beforeEvaluate: () => {
        throw Object.assign(new Error("Not today"), { statusCode });
      },
    });

    it.each<[string, Partial<FacadeHostOptions>, string, number]>([
      ["a rule throws", {}, "broken", 500],
      ["toInput throws", {}, "unmappable", 500],
      ["a hook refuses", { hooks: refusing(403) }, "alice", 403],
      ["a hook fails", { hooks: refusing(500) }, "alice", 500],
      [
        "a hook hangs",
        { hooks: { beforeEvaluate: () => new Promise(() => {}) }, hookTimeoutMs: 20 },
        "alice",
        503,
      ],
      [
        "the profile cannot be chosen",
        {
          profileResolver: () => {
            throw new Error("secret of the resolver");
          },
        },
        "alice",
        500,
      ],
    ])("where %s", async (_case, options, id, status) => {
      const errors: unknown[] = [];
      const hooks = {
        ...options.hooks,
        onError: (_context: unknown, error: unknown) => void errors.push(error),
      };
      const { one, all } = await mount({ ...options, hooks });
      const single = await one(ask(id, "read"));
      expect(single.status).toBe(status);
      expect(single.body).toEqual(expect.any(String));
      expect(single.body).not.toContain("secret");
      const { body } = await all({ evaluations: [ask(id, "read")] });
      expect(body).toMatchObject({ evaluations: [{ decision: false, context: { error: { status } } }] });
      expect(errors).toHaveLength(2);
    });

    it("where the record cannot be written", async () => {
      const log = new MemoryLog();
      log.isAvailable = false;
      const { one, all } = await mount({ log });
      expect((await one(ask("alice", "read"))).status).toBe(503);
      expect((await all({ evaluations: [ask("alice", "read")] })).body).toMatchObject({
        evaluations: [{ decision: false, context: { error: { status: 503 } } }],
      });
    });

    it.each([
      [
        "isDenied throws",
        {
          isDenied: () => {
            throw new Error("secret");
          },
        },
      ],
      ["isDenied answers no boolean", { isDenied: (): boolean => JSON.parse("null") }],
      ["isDenied answers with a promise", { isDenied: (): never => Promise.resolve(false) as never }],
      [
        "toContext throws",
        {
          toContext: () => {
            throw new Error("secret");
          },
        },
      ],
      ["toContext returns no object", { toContext: (): Record<string, unknown> => JSON.parse("[]") }],
      ["the context cannot be written", { toContext: () => ({ at: 1n }) }],
    ])("where %s", async (_case, more) => {
      const { one, all } = await mount({
        facades: [
          authzen({
            evaluation: canAccess,
            toInput: ({ subject, action }): unknown => ({ subject: subject.id, action: action.name }),
            ...more,
          }),
        ],
      });
      for (const reply of [
        await one(ask("alice", "read")),
        await all({ evaluations: [ask("alice", "read")] }),
      ]) {
        expect(JSON.stringify(reply.body)).not.toMatch(/"decision":true|secret/);
      }
    });

    it("where no rule matches", async () => {
      const { one } = await mount();
      expect((await one(ask("carol", "write"))).body).toMatchObject({ decision: false });
    });
  });

  it("is seen by hooks, metrics and records as a call of the decision's own route is", async () => {
    const log = new MemoryLog();
    const measured = metrics({ enabled: true });
    const seen: string[] = [];
    const { one, all } = await mount({
      log,
      observers: [measured.observer],
      hooks: {
        beforeEvaluate: ({ decisionId, requestId, request }) =>
          void seen.push(`${decisionId} ${requestId} ${request?.path}`),
        afterEvaluate: (_context, { status }) => void seen.push(status),
      },
    });
    const reply = await one(ask("alice", "read"), { "x-request-id": "r1" });
    expect(reply.headers.get("decern-record-id")).toBe("record-1");
    await all({ evaluations: [ask("bob", "write"), ask("broken", "read"), {}] }, { "x-request-id": "r2" });
    await expect.poll(() => log.kept.length).toBe(3);
    expect(log.kept.map(({ decision, input }) => [decision.id, input])).toMatchObject([
      ["can-access", { subject: "alice" }],
      ["can-access", { subject: "bob" }],
      ["can-access", { subject: "broken" }],
    ]);
    expect(seen.filter((one) => one.startsWith("can-access"))).toEqual([
      "can-access r1 /access/v1/evaluation",
      "can-access r2 /access/v1/evaluations",
      "can-access r2 /access/v1/evaluations",
    ]);
    const count = (status: string) =>
      measured.collector.getCounter("engine_evaluations_total", { decision_id: "can-access", status });
    expect({ ok: count("OK"), error: count("ERROR") }).toEqual({ ok: 2, error: 1 });
  });

  it("refuses a facade whose decision the host does not serve, or that never says yes", async () => {
    const { inputSchema, outputSchema, profileSchema } = canAccess;
    const schemas = { inputSchema, outputSchema, profileSchema };
    const rules = [{ id: "a", when: () => true, emit: () => ({ allowed: true }) }];
    const other = defineDecision({ id: "other", version: "1.0.0", ...schemas, rules });
    const toInput = (): unknown => ({});
    await expect(
      start({ decisions: [canAccess], facades: [authzen({ evaluation: other, toInput })] }),
    ).rejects.toThrow(/authzen evaluates version 1.0.0 of "other"/);
    const silentOne = defineDecision({
      id: "silent",
      version: "1",
      inputSchema: z.object({}),
      outputSchema: z.object({ score: z.number() }),
      profileSchema: z.object({}),
      rules: [{ id: "a", when: () => true, emit: () => ({ score: 1 }) }],
    });
    await expect(
      start({ decisions: [silentOne], facades: [authzen({ evaluation: silentOne, toInput })] }),
    ).rejects.toThrow(/isDenied/);
    await expect(start({ decisions: [canAccess], facades: [facade, facade] })).rejects.toThrow(
      /POST \/access\/v1\/evaluation, as an earlier facade does/,
    );
  });
});
