import { authzen } from "@decern/authzen";
import { defineDecision, type Schema } from "@decern/core";
import { feature } from "@decern/core/options";
import { type DecisionLogOptions, decisionLog } from "@decern/decision-log";
import { explain } from "@decern/explain";
import { ofrep } from "@decern/ofrep";
import { createServer, type ServerOptions } from "@decern/server";
import { createWarehouseHandler, type WarehouseBatch } from "@decern/warehouse";
import express from "express";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";

/** What requests cost, in characters: what schemas looked at, and what was written to the log. */
const spent = { validated: 0, logged: 0, records: 0 };

/** Counts all that it looks at, and takes it. */
const counted: Schema<Readonly<Record<string, unknown>>> = {
  "~standard": {
    version: 1,
    vendor: "counting",
    validate: (value) => {
      spent.validated += lengthOf(value);
      return typeof value === "object" && value !== null
        ? { value: { ...value } }
        : { issues: [{ message: "must be an object", pointer: "", keyword: "type" }] };
    },
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
  },
};

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + lengthOf(inner), 1);
}

const decide = (version: string) =>
  defineDecision({
    id: "decide",
    version,
    inputSchema: {
      "~standard": {
        ...counted["~standard"],
        jsonSchema: {
          input: () => ({ type: "object", properties: { n: { type: "number" }, text: { type: "string" } } }),
          output: () => ({ type: "object" }),
        },
      },
    },
    outputSchema: {
      "~standard": {
        ...counted["~standard"],
        jsonSchema: {
          input: () => ({ type: "object" }),
          output: () => ({ type: "object", properties: { allowed: { type: "boolean" } } }),
        },
      },
    },
    profileSchema: counted,
    rules: [
      { id: "high", when: ({ n }) => Number(n) > 50, emit: () => ({ allowed: false }) },
      { id: "rest", when: () => true, emit: () => ({ allowed: true }) },
    ],
  });
const decision = decide("1");
const flags = Array.from({ length: 40 }, (_, index) => ({
  key: `flag-${index}`,
  decision,
  toFlag: () => ({ value: true }),
}));

/** Counts what a store writes: each profile once, as in a file. */
function countingLog(options: Omit<DecisionLogOptions, "store"> = {}) {
  const kept = new Set<string>();
  return decisionLog({
    ...options,
    logger: silent,
    durable: "reply",
    store: {
      [feature]: "record-store",
      async open() {
        let head: string | null = null;
        return {
          get head() {
            return head;
          },
          async write(batch) {
            for (const [key, { text }] of batch.kept) {
              if (!kept.has(key)) spent.logged += text.length;
              kept.add(key);
            }
            for (const { bytes, hash } of batch.records) {
              spent.logged += bytes.length;
              spent.records += 1;
              head = hash;
            }
          },
          async close() {},
        };
      },
      async *find() {},
      profile: async () => undefined,
      content: async () => undefined,
      async *chains() {},
      async *erasures() {},
      erase: async () => 0,
      stats: async () => ({ records: 0, bytes: 0, withoutPayload: 0 }),
      async close() {},
    },
  });
}

const silent = { error: () => {}, warn: () => {}, info: () => {} };
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function serve(
  options: Partial<ServerOptions<[typeof decision]>> = {},
  logOptions?: Omit<DecisionLogOptions, "store">,
): Promise<string> {
  const log = countingLog(logOptions);
  const server = createServer({
    decisions: [decision],
    profiles: { decide: { limit: 1 } },
    facades: [
      authzen({ evaluation: decision, toInput: ({ subject, resource }) => ({ subject, resource }) }),
      ofrep({ flags }),
    ],
    explain: explain(),
    logger: false,
    log,
    ...options,
  });
  closing.push(async () => {
    await server.close();
    await log.close();
  });
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  const address = server.handler.server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

/** @param records - how many to wait for, where the request is answered with 200: those of shadows come after the reply */
async function cost(url: string, body: string, { type = "application/json", records = 0 } = {}) {
  Object.assign(spent, { validated: 0, logged: 0, records: 0 });
  const reply = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
  const text = await reply.text();
  if (reply.status === 200) await expect.poll(() => spent.records).toBeGreaterThanOrEqual(records);
  return { status: reply.status, replied: text.length, text, body: body.length, ...spent };
}

/** What a record, and an envelope, have of their own, whatever was sent. */
const ownRecord = 2500;
const mebibyte = 1024 * 1024;

/** Bodies whose inputs have more or less in common. */
const bodies = fc.record({
  shared: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 3000, max: 300_000 })),
  count: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 300, max: 1000 })),
  own: fc.integer({ min: 0, max: 40 }),
});
type Body = typeof bodies extends fc.Arbitrary<infer Value> ? Value : never;

/** The worst: nothing of its own in any input. */
const worst: readonly [Body][] = [
  [{ shared: 7000, count: 1000, own: 0 }],
  [{ shared: 300_000, count: 25, own: 0 }],
  [{ shared: 300_000, count: 1000, own: 0 }],
];
const runs = { numRuns: 20, examples: [...worst] };

const inputsOf = ({ count, own }: Body) =>
  Array.from({ length: count }, (_, n) => (own === 0 ? {} : { n, text: "y".repeat(own) }));
const profileOf = ({ shared }: Body) => ({ text: "x".repeat(shared) });

describe("what one request costs grows with its body", () => {
  const everyProfile = { profileResolver: () => ({ limit: 2 }) };
  const twoVersions = {
    decisions: [decision, decide("2")],
    versions: {
      decide: {
        default: "1",
        select: ({ input }: { input: unknown }) => (lengthOf(input) % 2 === 0 ? "1" : "2"),
      },
    },
  } as unknown as Partial<ServerOptions<[typeof decision]>>;
  const shadowed = {
    decisions: [decision, decide("2")],
    versions: { decide: { default: "1" } },
    shadow: { decide: { version: "2" } },
  } as unknown as Partial<ServerOptions<[typeof decision]>>;
  it.each([
    ["", {}],
    [" that is merged", { profileOverride: "merge" as const }],
    [", with a resolver", everyProfile],
    [", with versions that are chosen by the input", twoVersions],
    [", with a shadow", shadowed],
  ])("in a list with a profile%s", async (_, options) => {
    const url = await serve(options);
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const sent = JSON.stringify({ inputs: inputsOf(body), profile: profileOf(body) });
        const records = options === shadowed ? 2 * body.count : body.count;
        const found = await cost(`${url}/decisions/decide/batch`, sent, { records });
        expect(found.status).toBe(body.shared * body.count > 8 * mebibyte - 40_000 ? 413 : 200);
        expect(found.validated).toBeLessThanOrEqual(8 * found.body + 100);
        expect(found.logged).toBeLessThanOrEqual(8 * found.body + ownRecord * found.records);
        expect(found.records).toBe(found.status === 200 ? records : 0);
      }),
      runs,
    );
  });

  it.each([
    ["a mask", { mask: { decide: ["/input/name"] } }],
    ["a person to erase", { subject: { key: "k".repeat(32), of: { decide: () => "person" } } }],
  ])("in a list with a profile that is recorded with each input, because of %s", async (_, logOptions) => {
    const url = await serve({}, logOptions);
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const sent = JSON.stringify({ inputs: inputsOf(body), profile: profileOf(body) });
        const found = await cost(`${url}/decisions/decide/batch`, sent);
        expect(found.validated).toBeLessThanOrEqual(8 * found.body + 100);
        expect(found.logged).toBeLessThanOrEqual(8 * mebibyte + ownRecord * found.records);
      }),
      runs,
    );
  });

  it("in lines", async () => {
    const url = await serve();
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const lines = inputsOf(body).map((input) => `${JSON.stringify(input)}\n`);
        const long = JSON.stringify({ text: "x".repeat(body.shared) });
        const sent = `${lines.join("")}${long}\n`;
        const found = await cost(`${url}/decisions/decide/batch`, sent, { type: "application/x-ndjson" });
        expect(found.records).toBe(body.count + 1);
        expect(found.validated).toBeLessThanOrEqual(8 * found.body + 100);
        expect(found.logged).toBeLessThanOrEqual(8 * found.body + ownRecord * found.records);
      }),
      runs,
    );
  });

  it.each(["entity", "id", "context"])("in evaluations of AuthZEN with a default %s", async (kind) => {
    const url = await serve({
      facades: [authzen({ evaluation: decision, toInput: (request) => ({ ...request }) })],
    });
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const text = "x".repeat(body.shared);
        const subject = { type: "t", id: kind === "id" ? text : "i" };
        const shared = { text };
        const sent = JSON.stringify({
          subject: kind === "entity" ? { ...subject, properties: shared } : subject,
          action: { name: "read" },
          resource: { type: "r", id: "1" },
          ...(kind === "context" ? { context: shared } : {}),
          evaluations: inputsOf(body).map((properties) => ({
            resource: { type: "r", id: "2", properties },
          })),
        });
        const found = await cost(`${url}/access/v1/evaluations`, sent);
        const most = 8 * Math.max(mebibyte, found.body);
        if (body.shared * body.count > most) {
          expect(found).toMatchObject({ status: 413, validated: 0, logged: 0 });
          expect(JSON.parse(found.text)).toEqual(expect.any(String));
        } else if (body.shared * body.count < most / 2) {
          expect(found.status).toBe(200);
          expect(found.records).toBe(body.count);
        }
        expect(found.validated).toBeLessThanOrEqual(most + 100 * body.count);
        expect(found.logged).toBeLessThanOrEqual(most + ownRecord * body.count);
      }),
      runs,
    );
  });

  it("for all flags of OFREP", async () => {
    const url = await serve();
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const sent = JSON.stringify({ context: { targetingKey: "k", text: "x".repeat(body.shared) } });
        const found = await cost(`${url}/ofrep/v1/evaluate/flags`, sent);
        const most = 8 * Math.max(mebibyte, found.body);
        expect(found.status).toBe(found.body * flags.length > most ? 413 : 200);
        if (found.status === 413) expect(JSON.parse(found.text)).toMatchObject({ errorCode: "GENERAL" });
        expect(found.validated).toBeLessThanOrEqual(most + 100 * flags.length);
        expect(found.logged).toBeLessThanOrEqual(most + ownRecord * flags.length);
      }),
      runs,
    );
  });

  it("for rows of a warehouse, whatever its context", async () => {
    const log = countingLog();
    const app = express();
    app.post(
      "/rows",
      createWarehouseHandler({
        engine: "bigquery",
        decision,
        columns: ["n"],
        authenticate: "host",
        profileResolver: ({ context }: WarehouseBatch) => context,
        caller: ({ user }: WarehouseBatch) => user,
        logger: silent,
        log,
      } as unknown as Parameters<typeof createWarehouseHandler>[0]),
    );
    const server = app.listen(0);
    closing.push(async () => {
      server.close();
      await log.close();
    });
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/rows`;
    await fc.assert(
      fc.asyncProperty(bodies, fc.boolean(), async (body, isLongName) => {
        const sent = JSON.stringify({
          requestId: "r",
          sessionUser: isLongName ? "u".repeat(body.shared) : "user",
          userDefinedContext: isLongName ? {} : profileOf(body),
          calls: Array.from({ length: body.count }, (_, n) => [n]),
        });
        const found = await cost(url, sent);
        expect(found.status).toBe(isLongName && body.shared > 1000 ? 400 : 200);
        expect(found.validated).toBeLessThanOrEqual(8 * found.body + 100);
        expect(found.logged).toBeLessThanOrEqual(8 * found.body + ownRecord * found.records);
      }),
      {
        numRuns: 20,
        examples: worst
          .flatMap(([body]) => [[body, true] as const, [body, false] as const])
          .map(([body, isLong]): [Body, boolean] => [body, isLong]),
      },
    );
  });

  it("for an explanation", async () => {
    const url = await serve();
    await fc.assert(
      fc.asyncProperty(bodies, fc.boolean(), async (body, isInput) => {
        const text = "x".repeat(body.shared);
        const sent = JSON.stringify({
          input: { n: 1, text: isInput ? text : "" },
          profile: isInput ? {} : { text },
        });
        const found = await cost(`${url}/decisions/decide/explain`, sent);
        expect(found.status).toBe(200);
        const { evaluations } = JSON.parse(found.text);
        expect(evaluations).toBeGreaterThan(1);
        // Schemas look at the input of each trial. The profile is looked at once.
        expect(found.validated).toBeLessThanOrEqual(16 * mebibyte + 2 * found.body);
        expect(evaluations * found.body).toBeLessThanOrEqual(17 * mebibyte + 100 * evaluations);
      }),
      { numRuns: 20, examples: worst.map(([body]): [Body, boolean] => [body, true]) },
    );
  });
});
