import type { FastifyInstance } from "fastify";
import request from "supertest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lint, validate } from "../../../../packages/openapi/test/support/document-judges.js";
import { compile, orvalClient } from "../../../../test/suites/generated-client.js";
import { OpenApiJudge } from "../support/openapi-judge.js";
import { createExpressShop } from "./express-shop.js";
import { createFastifyShop } from "./fastify-shop.js";

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** One of the two applications. */
interface Shop {
  readonly documentPath: string;
  /** Its own operations. */
  readonly own: readonly string[];
  /** What the decisions' operations are called beside them. */
  readonly names: readonly [loanApproval: string, error: string];
  call(method: "get" | "post", path: string, body?: string, type?: string): Promise<Reply>;
  close(): Promise<void>;
}

async function fastifyShop(): Promise<Shop> {
  const app: FastifyInstance = await createFastifyShop();
  return {
    documentPath: "/documentation/json",
    own: ["GET /orders/{id}"],
    names: ["evaluateLoanApproval2", "evaluateError2"],
    call: async (method, url, payload, type = "application/json") => {
      const headers = payload === undefined ? {} : { "content-type": type };
      const reply = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
      return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
    },
    close: () => app.close(),
  };
}

async function expressShop(): Promise<Shop> {
  const app = createExpressShop();
  return {
    documentPath: "/api/openapi.json",
    own: [],
    names: ["evaluateLoanApproval", "evaluateError"],
    call: async (method, path, body, type = "application/json") => {
      const call = request(app)[method](path);
      const { status, headers, body: read } = await (body === undefined ? call : call.type(type).send(body));
      return { status, headers, body: read };
    },
    close: async () => {},
  };
}

const pinned = "/api/decisions/loan-approval/versions";
const paths = [
  "/api/decisions/loan-approval",
  `${pinned}/1.1.0`,
  `${pinned}/1.2.0`,
  `${pinned}/2.0.0%2Bb`,
  "/api/decisions/error",
];

describe.each([
  ["@fastify/swagger", fastifyShop],
  ["an Express route", expressShop],
])("the document of an application with decisions, served by %s", (_name, create) => {
  let shop: Shop;
  let document: Readonly<Record<string, unknown>>;
  let judge: OpenApiJudge;
  beforeAll(async () => {
    shop = await create();
    const { status, body } = await shop.call("get", shop.documentPath);
    expect(status).toBe(200);
    document = Object(body);
    judge = new OpenApiJudge(document);
  });
  afterAll(() => shop.close());

  /** Calls an operation, and holds its reply against the document. */
  async function holds(operation: string, status: number, body?: string, type?: string, path?: string) {
    const [method = "", documented = ""] = operation.split(" ");
    const reply = await shop.call(method === "GET" ? "get" : "post", path ?? documented, body, type);
    expect(reply.status, operation).toBe(status);
    const entry = judge.statusFor(operation, status) ?? "";
    const judged = judge.answer(operation, entry)?.content.get("application/json");
    judged?.(reply.body);
    expect({ operation, entry, errors: judged?.errors }).toEqual({ operation, entry, errors: null });
    return reply;
  }

  it("is valid, and a linter finds nothing", async () => {
    expect(await validate(document)).toEqual([]);
    expect(await lint(document)).toEqual([]);
  });

  it("has the decisions at their real paths, beside the application's own routes", () => {
    const expected = [...shop.own, ...paths.map((path) => `POST ${path}`)];
    expect(judge.operations().toSorted()).toEqual(expected.toSorted());
  });

  it("has only paths that reply, as the document says", async () => {
    for (const operation of judge.operations().filter((one) => !shop.own.includes(one))) {
      const input = operation.endsWith("/error") ? { text: "Sold out" } : { amount: 9000 };
      expect(judge.requestBody(operation)(input), operation).toBe(true);
      const { headers, body } = await holds(operation, 200, JSON.stringify(input));
      expect(body).toMatchObject({ status: "OK" });
      const isDeprecated = operation.endsWith("/1.1.0");
      for (const name of ["deprecation", "sunset", "link"]) {
        expect(headers[name] !== undefined, `${operation}: ${name}`).toBe(isDeprecated);
      }
    }
  });

  it("describes the application's own routes as they are", async () => {
    for (const operation of shop.own) {
      await holds(operation, 200, undefined, undefined, "/orders/1");
      await holds(operation, 404, undefined, undefined, "/orders/2");
    }
  });

  it.each<[string, number, string, string?]>([
    ["no match", 200, '{"amount":60000}'],
    ["an invalid input", 400, '{"amount":-1}'],
    ["an input in a wrapper", 400, '{"input":{"amount":9000}}'],
    ["malformed JSON", 400, "{"],
    ["a forbidden key", 400, '{"__proto__":{}}'],
    ["a refusal by a hook", 403, '{"amount":403}'],
    ["a large body", 413, JSON.stringify({ amount: 1, text: "x".repeat(1_100_000) })],
    ["a body that is not JSON", 415, "amount=1", "application/x-www-form-urlencoded"],
    ["a fault of the decision", 500, '{"amount":500}'],
  ])("describes the reply to %s", async (_case, status, body, type) => {
    for (const path of paths.slice(0, 4)) await holds(`POST ${path}`, status, body, type);
  });

  it("describes the replies to versions that are not served", async () => {
    const body = '{"amount":1}';
    await holds(`POST ${pinned}/1.2.0`, 404, body, undefined, `${pinned}/9.9.9`);
    await holds(`POST ${pinned}/1.2.0`, 410, body, undefined, `${pinned}/0.9.0`);
  });

  it("is one from which orval generates a client that compiles", async () => {
    const [loanApproval, error] = shop.names;
    const program = `
      import { ${loanApproval}, ${error} } from "./client.js";
      export async function approved(amount: number): Promise<boolean> {
        const { status, data } = await ${loanApproval}({ amount });
        return status === 200 && data.status === "OK" && data.data.approved;
      }
      export async function severity(text: string): Promise<"low" | "high" | undefined> {
        const { status, data } = await ${error}({ text });
        return status === 200 && data.status === "OK" ? data.data.severity : undefined;
      }
    `;
    const client = await orvalClient(document);
    expect(await compile({ "client.ts": client, "program.ts": program })).toBe("");
  });
});
