import { defineDecision } from "@decern/core";
import {
  apiKeys,
  createServer,
  type DecisionServer,
  type PublishDraft,
  type ServerOptions,
} from "@decern/server";
import { defineTable, type TableDocument } from "@decern/table";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { MemoryLog } from "../../../../test/support/memory-log.js";

const open: DecisionServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const fee = defineTable({
  id: "fee",
  version: "1.0.0",
  inputSchema: z.object({ kg: z.number().min(0) }),
  outputSchema: z.object({ fee: z.number().min(0) }),
  profileSchema: z.object({}),
  hitPolicy: "U",
  inputs: ["kg"],
  outputs: ["fee"],
  rules: [{ id: "any", cells: ["-", 1] }],
});

const quote = defineDecision({
  id: "quote",
  version: "1.0.0",
  inputSchema: z.object({}),
  outputSchema: z.object({}),
  profileSchema: z.object({}),
  rules: [{ id: "always", when: () => true, emit: () => ({}) }],
});

const document: TableDocument = {
  table: "fee",
  version: "1.1.0",
  hitPolicy: "U",
  inputs: [{ path: "kg" }],
  outputs: [{ path: "fee" }],
  rules: [
    // As a page sends cells: as they were typed.
    { id: "light", if: ["<= 2"], then: [" 4.50 "] },
    { id: "heavy", if: ["> 2"], then: ["9"] },
  ],
};

const url = "/docs/decisions/fee/publish";

function serving(publish: PublishDraft, options: Partial<ServerOptions> = {}) {
  const errors: unknown[] = [];
  const lines: unknown[] = [];
  const server = createServer({
    decisions: [fee, quote],
    log: new MemoryLog(),
    records: ({ identity }) => identity?.caller === "auditor",
    authenticate: apiKeys({ keys: { auditor: ["auditors"], shop: ["shops"] } }),
    docs: { publish },
    logger: {
      error: ({ err }) => void errors.push(err),
      info: (details, message) => void lines.push({ ...details, message }),
    },
    ...options,
  });
  open.push(server);
  const post = async (payload: unknown, headers: Readonly<Record<string, string>> = {}, path = url) => {
    const reply = await server.handler.inject({
      method: "POST",
      url: path,
      headers: { "x-api-key": "auditors", "content-type": "application/json", ...headers },
      payload: typeof payload === "string" ? payload : JSON.stringify(payload),
    });
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
  };
  return { server, errors, lines, post };
}

const taken: Parameters<PublishDraft>[] = [];
afterEach(() => void taken.splice(0));
const take: PublishDraft = (...given) => {
  taken.push(given);
  return { message: "Pull request 7", url: "https://git.example/7" };
};

describe("a draft that is handed over", () => {
  it("reaches the host in its canonical form, with who hands it over", async () => {
    const { post, lines, server } = serving(take);
    const basedOn = `sha256:${"1".repeat(64)}`;
    expect(await post({ document, basedOn })).toEqual({
      status: 200,
      body: { message: "Pull request 7", url: "https://git.example/7" },
      headers: expect.anything(),
    });
    const contentHash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(taken).toEqual([
      [
        {
          id: "fee",
          version: "1.1.0",
          name: "fee.json",
          mediaType: "application/vnd.decern.table+json",
          document: {
            ...document,
            rules: [
              { id: "light", if: ["<= 2"], then: [4.5] },
              { id: "heavy", if: ["> 2"], then: [9] },
            ],
          },
          contentHash,
          basedOn,
          served: fee.contentHash,
        },
        { caller: "auditor" },
      ],
    ]);
    expect(taken[0]?.[0].contentHash).not.toBe(fee.contentHash);
    expect(lines).toContainEqual(
      expect.objectContaining({
        message: "A draft was handed over",
        caller: "auditor",
        decision: "fee",
        version: "1.1.0",
      }),
    );
    // Nothing is activated.
    const served = await server.handler.inject({
      url: "/decisions/fee/versions",
      headers: { "x-api-key": "shops" },
    });
    expect(served.body).not.toContain("1.1.0");
  });

  it("is refused with every problem before the host sees it", async () => {
    const { post } = serving(take);
    const rules = [
      { id: "light", if: ["<= x"], then: [-1] },
      { id: "light", if: ["> 2"], then: ["9 +"] },
    ];
    const { status, body } = await post({ document: { ...document, rules } });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "INVALID_DRAFT", error: "The draft breaks its contract" });
    expect(body.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      "/rules/0/if/0",
      "/rules/0/then/0",
      "/rules/1/id",
      "/rules/1/then/0",
    ]);
    // What only the analysis finds.
    const overlap = [...document.rules, { id: "all", if: ["-"], then: [0] }];
    expect((await post({ document: { ...document, rules: overlap } })).status).toBe(422);
    expect((await post({ document: { ...document, version: undefined } })).body.problems).toHaveLength(1);
    expect((await post({ document: { ...document, table: "quote" } })).status).toBe(422);
    expect(taken).toEqual([]);
  });

  it.each([[{}], [[]], [{ document: [] }], [{ document, basedOn: 1 }], [{ document, name: "x" }]])(
    "is refused as %j",
    async (payload) => {
      const { post } = serving(take);
      expect((await post(payload)).status).toBe(400);
      expect(taken).toEqual([]);
    },
  );

  it("is not taken for what is not a table, nor beyond the limit of bodies", async () => {
    const { post } = serving(take, { bodyLimit: 1000 });
    expect((await post({ document }, {}, "/docs/decisions/quote/publish")).status).toBe(404);
    expect((await post({ document }, {}, "/docs/decisions/nope/publish")).body.code).toBe(
      "DECISION_NOT_FOUND",
    );
    expect((await post({ document: { ...document, note: "x".repeat(1000) } })).status).toBe(413);
    expect((await post({ document }, {}, "/docs/decisions/fee/versions/1.0.0/publish")).status).toBe(200);
    expect(taken).toHaveLength(1);
  });
});

describe("who may hand over drafts", () => {
  it.each([
    [{ "x-api-key": "shops" }, 403, "ACCESS_DENIED"],
    [{ "x-api-key": "nobody" }, 401, "UNAUTHORIZED"],
    [{ "sec-fetch-site": "cross-site" }, 403, "ACCESS_DENIED"],
    [{ "sec-fetch-site": "same-site" }, 403, "ACCESS_DENIED"],
    [{ origin: "https://evil.example" }, 403, "ACCESS_DENIED"],
    [{ origin: "null" }, 403, "ACCESS_DENIED"],
    [{ "content-type": "text/plain" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ])("not with %j", async (headers, status, code) => {
    const { post } = serving(take);
    expect(await post({ document }, headers)).toMatchObject({ status, body: { code } });
    expect(taken).toEqual([]);
  });

  it("from a page of the same origin", async () => {
    const { post } = serving(take);
    expect(
      (await post({ document }, { "sec-fetch-site": "same-origin", origin: "http://a.example" })).status,
    ).toBe(200);
    expect((await post({ document }, { host: "a.example", origin: "http://a.example" })).status).toBe(200);
  });

  it("nobody, where nobody may look at records", () => {
    expect(() => serving(take, { records: false })).toThrow("/docs/publish: requires records");
  });

  it("nobody, where the host takes none", async () => {
    const { server, post } = serving(take, { docs: true });
    expect((await post({ document })).status).toBe(404);
    const headers = { "x-api-key": "shops" };
    const catalogue = await server.handler.inject({ url: "/docs/catalogue.json", headers });
    expect(catalogue.json()).not.toHaveProperty("publishes");
    const taking = await serving(take).server.handler.inject({ url: "/docs/catalogue.json", headers });
    expect(taking.json()).toMatchObject({ publishes: true });
  });
});

describe("a host that fails", () => {
  it.each([
    ["throws", () => Promise.reject(new Error("secret: token expired"))],
    ["returns a text", (() => "done") as unknown as PublishDraft],
    ["returns a link that could run code", () => ({ url: "javascript:alert(1)" })],
    ["returns a long message", () => ({ message: "x".repeat(1001) })],
  ])("is masked, and logged: it %s", async (_name, publish) => {
    const { post, errors } = serving(publish);
    expect(await post({ document })).toMatchObject({
      status: 500,
      body: { code: "INTERNAL_ERROR", error: "Internal server error" },
    });
    expect(errors).toHaveLength(1);
  });

  it("is waited for as long as a hook", async () => {
    const { post } = serving(() => new Promise(() => {}), { hookTimeoutMs: 20 });
    expect((await post({ document })).body.code).toBe("HOOK_TIMEOUT");
  });

  it("can tell the person what to do", async () => {
    const refuse = () =>
      Promise.reject(Object.assign(new Error("Version 1.1.0 exists"), { statusCode: 409 }));
    const { post, errors } = serving(refuse);
    expect(await post({ document })).toMatchObject({ status: 409, body: { error: "Version 1.1.0 exists" } });
    expect(errors).toEqual([]);
  });
});
