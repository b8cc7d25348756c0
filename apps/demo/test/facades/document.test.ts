import { openapi } from "@decern/openapi";
import { apiKeys, createServer } from "@decern/server";
import { afterAll, describe, expect, it } from "vitest";
import { lint, validate } from "../../../../packages/openapi/test/support/document-judges.js";
import { OpenApiJudge } from "../support/openapi-judge.js";
import { ask, canAccess, facade, silent } from "./can-access.js";
import { decisions, flags } from "./flags.js";

const server = createServer({
  decisions: [canAccess, ...decisions],
  facades: [facade, flags],
  authenticate: apiKeys({ keys: ["key"] }),
  openapi: openapi({
    enabled: true,
    info: { title: "Facades", version: "1.0.0", license: { name: "MIT", url: "https://example.com" } },
  }),
  logger: silent,
});
afterAll(() => server.close());

const document = async () => {
  const reply = await server.handler.inject({ url: "/openapi.json", headers: { "x-api-key": "key" } });
  return reply.json() as Readonly<Record<string, unknown>>;
};

describe("the OpenAPI document with facades", () => {
  it("is valid, and describes their routes", async () => {
    const described = await document();
    expect(await validate(described)).toEqual([]);
    expect(await lint(described)).toEqual([]);
    expect(new OpenApiJudge(described).operations()).toEqual(
      expect.arrayContaining([
        "POST /access/v1/evaluation",
        "POST /access/v1/evaluations",
        "GET /.well-known/authzen-configuration",
        "POST /ofrep/v1/evaluate/flags",
        "POST /ofrep/v1/evaluate/flags/{key}",
      ]),
    );
  });

  const context = { targetingKey: "ada", plan: "pro" };
  const several = { evaluations: [ask("alice", "read"), {}] };
  it.each([
    ["POST", "/access/v1/evaluation", "", ask("alice", "read"), 200],
    ["POST", "/access/v1/evaluation", "", {}, 400],
    ["POST", "/access/v1/evaluation", "", ask("broken", "read"), 500],
    ["POST", "/access/v1/evaluations", "", several, 200],
    ["POST", "/access/v1/evaluations", "", ask("alice", "read"), 200],
    ["GET", "/.well-known/authzen-configuration", "", undefined, 200],
    ["POST", "/ofrep/v1/evaluate/flags", "", { context }, 200],
    ["POST", "/ofrep/v1/evaluate/flags", "", [], 400],
    ["POST", "/ofrep/v1/evaluate/flags", "", { context: { ...context, plan: "unknown" } }, 200],
    ["POST", "/ofrep/v1/evaluate/flags/{key}", "banner", { context }, 200],
    [
      "POST",
      "/ofrep/v1/evaluate/flags/{key}",
      "new-checkout",
      { context: { ...context, plan: "unknown" } },
      200,
    ],
    ["POST", "/ofrep/v1/evaluate/flags/{key}", "new-checkout", {}, 400],
    ["POST", "/ofrep/v1/evaluate/flags/{key}", "nothing", { context }, 404],
  ] as const)("holds for %s %s%s", async (method, path, key, payload, status) => {
    const judge = new OpenApiJudge(await document());
    const url = path.replace("{key}", key);
    const headers = { "x-api-key": "key" };
    const reply = await server.handler.inject({
      method,
      url,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    expect(reply.statusCode).toBe(status);
    const isValid = judge.answer(`${method} ${path}`, String(status))?.content.get("application/json");
    expect(isValid?.(reply.json()), JSON.stringify(isValid?.errors)).toBe(true);
  });
});
