import { afterEach, describe, expect, it } from "vitest";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import {
  apiKeys,
  createServer,
  type DecisionServer,
  type RecordsAccess,
  type ServerOptions,
} from "../../src/index.js";
import { quote1 } from "../support/quotes.js";

const open: DecisionServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const requests = [
  { method: "POST", url: "/records/search", payload: {} },
  { method: "GET", url: "/records/data/nope" },
  { method: "GET", url: "/records/held" },
  { method: "POST", url: "/records/data/nope/evaluate", payload: {} },
] as const;

function serving(records: RecordsAccess, options: Partial<ServerOptions> = {}) {
  const log = new MemoryLog();
  const errors: string[] = [];
  const lookUps: string[] = [];
  const server = createServer({
    decisions: [quote1],
    log,
    records,
    authenticate: apiKeys({ keys: { auditor: ["auditors"], shop: ["shops"] } }),
    logger: {
      error: (_details, message) => void errors.push(message),
      info: (_details, message) => void lookUps.push(message),
    },
    ...options,
  });
  open.push(server);
  /** What each data route answers to a key: status and code. */
  const ask = async (key: string) => {
    const answers: (readonly [number, string | undefined])[] = [];
    for (const request of requests) {
      const reply = await server.handler.inject({ ...request, headers: { "x-api-key": key } });
      answers.push([reply.statusCode, reply.json().code]);
      expect(reply.headers["cache-control"]).toBe("no-store");
    }
    return answers;
  };
  return { server, log, errors, lookUps, ask };
}

const letIn = [
  [200, undefined],
  [404, "RECORD_NOT_FOUND"],
  [200, undefined],
  [404, "RECORD_NOT_FOUND"],
];
const each = (status: number, code: string) => requests.map(() => [status, code]);

describe("who may look at records", () => {
  it.each([
    ["at once", ({ identity }) => identity?.caller === "auditor"],
    ["later", async ({ identity }) => identity?.caller === "auditor"],
  ] satisfies [string, RecordsAccess][])(
    "is told %s by the host, who knows the caller",
    async (_when, access) => {
      const { ask, log, lookUps, errors } = serving(access);
      expect(await ask("shops")).toEqual(each(403, "ACCESS_DENIED"));
      expect({ queries: log.queries, lookUps }).toEqual({ queries: [], lookUps: [] });
      expect(await ask("auditors")).toEqual(letIn);
      expect({ length: lookUps.length, errors }).toEqual({ length: requests.length, errors: [] });
    },
  );

  it("is asked after authentication, on the routes of records only, with a view of the request", async () => {
    const seen: unknown[] = [];
    const { server, ask } = serving(({ method, path, headers, identity }) => {
      seen.push([method, path, headers["x-api-key"], identity?.caller]);
      return true;
    });
    for (const request of requests) expect((await server.handler.inject(request)).statusCode).toBe(401);
    const headers = { "x-api-key": "shops" };
    expect((await server.handler.inject({ url: "/decisions", headers })).statusCode).toBe(200);
    expect((await server.handler.inject("/records/")).statusCode).toBe(308);
    expect(seen).toEqual([]);
    await ask("shops");
    expect(seen).toEqual(requests.map(({ method, url }) => [method, url, "shops", "shop"]));
  });

  it.each([
    ["nothing", () => undefined],
    ["a text", () => "yes"],
    ["an object", async () => ({ caller: "auditor" })],
  ])("is nobody where the host's function returns %s", async (_what, access: () => unknown) => {
    const { ask } = serving(access as RecordsAccess);
    expect(await ask("auditors")).toEqual(each(403, "ACCESS_DENIED"));
  });

  it.each([
    ["throws", () => JSON.parse("{"), 500, "INTERNAL_ERROR", requests.length],
    ["rejects", () => Promise.reject(new Error("secret")), 500, "INTERNAL_ERROR", requests.length],
    [
      "refuses with a status of its own",
      () => Promise.reject(Object.assign(new Error("Not now"), { statusCode: 423, code: "NOT_NOW" })),
      423,
      "NOT_NOW",
      0,
    ],
    ["never settles", () => new Promise<boolean>(() => {}), 503, "HOOK_TIMEOUT", requests.length],
  ] as const)("is nobody while the host's function %s", async (_does, access, status, code, logged) => {
    const { ask, log, errors } = serving(access, { hookTimeoutMs: 20 });
    expect(await ask("auditors")).toEqual(each(status, code));
    expect({ queries: log.queries, errors }).toEqual({
      queries: [],
      errors: Array(logged).fill("Request failed"),
    });
  });
});
