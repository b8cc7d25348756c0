import { defineDecision, type ShadowEvent } from "@decern/core";
import { apiKeys, createServer, type ServerOptions } from "@decern/server";
import { afterEach, describe, expect, it } from "vitest";
import { ask, canAccess, facade, silent } from "./can-access.js";

const servers: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function serve(options: Partial<ServerOptions>) {
  const server = createServer({
    decisions: [canAccess],
    facades: [facade],
    logger: silent,
    ...options,
  });
  servers.push(server);
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    server.handler.inject({ method: "POST", url, payload, headers });
  return { handler: server.handler, post };
}

const one = "/access/v1/evaluation";
const all = "/access/v1/evaluations";

describe("the server's access checks hold for facades", () => {
  it("lets only those ask whom authenticate lets in, and answers in the protocol's form", async () => {
    const callers: unknown[] = [];
    const { post, handler } = serve({
      authenticate: apiKeys({ keys: { pep: "key-of-the-pep" } }),
      hooks: { beforeEvaluate: ({ caller }) => void callers.push(caller) },
    });
    for (const url of [one, all]) {
      const refused = await post(url, ask("alice", "read"), { "x-request-id": "any id" });
      expect(refused.statusCode).toBe(401);
      expect(refused.json()).toBeTypeOf("string");
      expect(refused.headers["x-request-id"]).toBe("any id");
      expect(refused.headers["www-authenticate"]).toBe(
        (await post("/decisions/can-access", {})).headers["www-authenticate"],
      );
    }
    expect(callers).toEqual([]);
    const let_in = await post(one, ask("alice", "read"), { "x-api-key": "key-of-the-pep" });
    expect(let_in.json()).toMatchObject({ decision: true });
    expect(callers).toEqual(["pep"]);
    expect((await handler.inject("/.well-known/authzen-configuration")).statusCode).toBe(200);
  });

  it("sheds load before anything is evaluated, and frees the place afterwards", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = 0;
    const { post } = serve({
      overload: { maxConcurrent: 1 },
      hooks: {
        beforeEvaluate: async () => {
          begun += 1;
          await held;
        },
      },
    });
    const first = post(one, ask("alice", "read"));
    await expect.poll(() => begun).toBe(1);
    const shed = await post(one, ask("alice", "read"));
    expect(shed.statusCode).toBe(503);
    expect(shed.body).not.toContain("true");
    release();
    expect((await first).json()).toMatchObject({ decision: true });
    expect((await post(one, ask("alice", "read"))).json()).toMatchObject({ decision: true });
    expect(begun).toBe(2);
  });

  it("refuses forbidden keys and bodies over the limit", async () => {
    const { post } = serve({ bodyLimit: 1000 });
    const forbidden = JSON.parse('{"subject":{"__proto__":{"type":"user","id":"alice"}}}') as object;
    expect((await post(one, forbidden)).statusCode).toBe(400);
    const large = { ...ask("alice", "read"), context: { text: "x".repeat(2000) } };
    const refused = await post(one, large);
    expect(refused.statusCode).toBe(413);
    expect(refused.json()).toBeTypeOf("string");
  });

  it("chooses the version as for the decision's own route, and evaluates candidates too", async () => {
    const shadows: ShadowEvent[] = [];
    const { inputSchema, outputSchema, profileSchema } = canAccess;
    const version = (name: string, allowed: boolean) =>
      defineDecision({
        id: "can-access",
        version: name,
        inputSchema,
        outputSchema,
        profileSchema,
        rules: [{ id: "all", when: () => true, emit: () => ({ allowed }) }],
      });
    const { post } = serve({
      decisions: [canAccess, version("2.0.0", false)],
      versions: {
        "can-access": {
          default: "1.0.0",
          select: ({ request }) => request?.headers["x-version"]?.toString(),
        },
      },
      shadow: { "can-access": { decision: version("3.0.0", false) } },
      observers: [{ onEvaluated: () => {}, onShadowEvaluated: (event) => void shadows.push(event) }],
    });
    expect((await post(one, ask("alice", "read"))).json()).toMatchObject({ decision: true });
    await expect.poll(() => shadows.map(({ outcome }) => outcome)).toEqual(["different"]);
    expect((await post(one, ask("alice", "read"), { "x-version": "2.0.0" })).json()).toMatchObject({
      decision: false,
      context: { version: "2.0.0" },
    });
    await post(all, { evaluations: [ask("alice", "read"), ask("alice", "write")] });
    await expect.poll(() => shadows.length).toBe(4);
  });

  it("replies 405 to other methods", async () => {
    const { handler } = serve({});
    const reply = await handler.inject(one);
    expect({ statusCode: reply.statusCode, allow: reply.headers.allow }).toEqual({
      statusCode: 405,
      allow: "POST",
    });
  });
});
