import { authzen } from "@decern/authzen";
import { createClient } from "@decern/client";
import { type DecisionRecord, defineDecision, withProfile } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { explain } from "@decern/explain";
import { metrics } from "@decern/metrics";
import { openapi } from "@decern/openapi";
import { openTelemetry } from "@decern/otel";
import { createServer, type ServerOptions } from "@decern/server";
import { readTable, tableContract } from "@decern/table";
import { createWarehouseFunction } from "@decern/warehouse";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { Ajv } from "ajv";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { carriers, contract, feeTable, hashOf, heavy, profiles, temporaryFolder } from "./fee-table.js";

const silent = { error: () => {} };

function serve(options: Partial<ServerOptions> = {}) {
  const server = createServer({ decisions: [feeTable()], profiles, docs: false, logger: silent, ...options });
  onTestFinished(() => server.close());
  const send = async (method: "GET" | "POST", url: string, payload?: object) => {
    const reply = await server.handler.inject({ method, url, ...(payload === undefined ? {} : { payload }) });
    const isJson = String(reply.headers["content-type"]).startsWith("application/json");
    return { status: reply.statusCode, text: reply.body, body: isJson ? reply.json() : undefined };
  };
  return { server, send, evaluate: (input: object) => send("POST", "/decisions/shipping-fee", { input }) };
}

function logged() {
  const log = decisionLog({ store: ndjsonFiles(temporaryFolder()), durable: "reply", logger: silent });
  onTestFinished(() => log.close());
  const records = async (): Promise<readonly DecisionRecord[]> => {
    await log.flush();
    const found: DecisionRecord[] = [];
    for await (const record of log.find()) found.push(record);
    return found;
  };
  return { log, records };
}

it("hooks: what is patched before decides the row, and the row is known afterwards", async () => {
  const rows: string[] = [];
  const { evaluate } = serve({
    hooks: {
      beforeEvaluate: ({ input }) => ({ input: { ...Object(input), zone: "abroad" } }),
      afterEvaluate: (_context, { meta }) => void rows.push(meta.matchedRule),
    },
  });
  expect((await evaluate(heavy)).body).toMatchObject({ data: { fee: 20 }, meta: { matchedRule: "abroad" } });
  expect(rows).toEqual(["abroad"]);
});

it("versions: each path decides by its own rows, and the list names both contents", async () => {
  const [one, two] = [feeTable(), feeTable({ version: "2.0.0", abroad: 22 })];
  const { send } = serve({ decisions: [one, two], versions: { "shipping-fee": { default: "1.0.0" } } });
  const fee = async (path: string) =>
    (await send("POST", `/decisions/shipping-fee${path}`, { input: { ...heavy, zone: "abroad" } })).body;
  expect(await fee("")).toMatchObject({ data: { fee: 20 }, meta: { decisionVersion: "1.0.0" } });
  expect(await fee("/versions/2.0.0")).toMatchObject({
    data: { fee: 22 },
    meta: { decisionVersion: "2.0.0" },
  });
  expect((await send("GET", "/decisions/shipping-fee/versions")).body).toMatchObject({
    versions: expect.arrayContaining([
      expect.objectContaining({ version: "1.0.0", contentHash: hashOf(one) }),
      expect.objectContaining({ version: "2.0.0", contentHash: hashOf(two) }),
    ]),
  });
});

it("shadow: records of an edited table stand beside those of the table that replied, under its own hash", async () => {
  const { log, records } = logged();
  const [one, two] = [feeTable(), feeTable({ version: "2.0.0", abroad: 22 })];
  const { evaluate } = serve({
    log,
    decisions: [one],
    shadow: { "shipping-fee": { decision: two, sample: 1 } },
  });
  expect((await evaluate({ ...heavy, zone: "abroad" })).body).toMatchObject({ data: { fee: 20 } });
  // A shadow runs once the reply is written.
  await expect.poll(async () => (await records()).length).toBe(2);
  const kept = (await records()).map(({ selectedBy, contentHash, payload }) => ({
    selectedBy,
    contentHash,
    result: payload?.result,
  }));
  expect(kept).toEqual(
    expect.arrayContaining([
      {
        selectedBy: "default",
        contentHash: hashOf(one),
        result: expect.objectContaining({ data: { fee: 20 } }),
      },
      {
        selectedBy: "shadow",
        contentHash: hashOf(two),
        result: expect.objectContaining({ data: { fee: 22 } }),
      },
    ]),
  );
});

it("composition: rules evaluate a table under its own profile, and the record names its content", async () => {
  const { log, records } = logged();
  const fee = feeTable();
  const order = defineDecision({
    id: "order",
    version: "1.0.0",
    inputSchema: contract.inputSchema.extend({ price: z.number() }),
    outputSchema: z.object({ total: z.number() }),
    profileSchema: z.object({}),
    uses: [fee],
    rules: [
      {
        id: "with-shipping",
        when: () => true,
        emit({ price, ...parcel }, _profile, context) {
          const shipping = context.evaluate(fee, parcel);
          return { total: price + (shipping.status === "OK" ? shipping.data.fee : 0) };
        },
      },
    ],
  });
  const { send } = serve({ log, decisions: [order, fee] });
  const reply = await send("POST", "/decisions/order", { input: { ...heavy, price: 10 } });
  expect(reply.body).toMatchObject({ data: { total: 16 } });
  const [record] = await records();
  expect(record).not.toHaveProperty("contentHash");
  expect(record?.payload?.used).toMatchObject([
    { id: "shipping-fee", contentHash: hashOf(fee), result: { meta: { matchedRule: "heavy" } } },
  ]);
});

it("batches: each input has its row, and an invalid one its problem", async () => {
  const { send } = serve();
  const inputs = [
    heavy,
    { zone: "abroad", weight: 1 },
    { zone: "moon", weight: 1 },
    { zone: "home", weight: 2 },
  ];
  const { body } = await send("POST", "/decisions/shipping-fee/batch", { inputs });
  expect(body).toMatchObject({
    results: [
      { data: { fee: 6 }, meta: { matchedRule: "heavy" } },
      { data: { fee: 20 }, meta: { matchedRule: "abroad" } },
      { status: "INVALID_INPUT", errors: [{ path: "/zone" }] },
      { data: { fee: 4.5 }, meta: { matchedRule: "light" } },
    ],
  });
});

it("metrics count every row that is hit, and not the others", async () => {
  const { send } = serve({ decisions: [carriers], profiles: {}, metrics: metrics({ enabled: true }) });
  const ask = (weight: number) => send("POST", "/decisions/carriers", { input: { zone: "home", weight } });
  expect((await ask(5)).body).toMatchObject({ data: [{ carrier: "post" }, { carrier: "courier" }] });
  expect((await ask(20)).body).toMatchObject({ data: [{ carrier: "courier" }] });
  const { text } = await send("GET", "/metrics");
  const hits = (rule: string) =>
    new RegExp(`^\\w+\\{[^}]*decision_id="carriers"[^}]*rule_id="${rule}"[^}]*\\} (\\d+)$`, "m").exec(
      text,
    )?.[1];
  expect({ post: hits("post"), courier: hits("courier") }).toEqual({ post: "1", courier: "2" });
});

it("explain: the nearest weight that another row decides is the limit in the cell", async () => {
  const { send } = serve({ explain: explain() });
  const { body } = await send("POST", "/decisions/shipping-fee/explain", { input: heavy });
  expect(body).toMatchObject({
    complete: true,
    fields: expect.arrayContaining([
      expect.objectContaining({
        path: "/weight",
        flips: [
          expect.objectContaining({ to: 2, matchedRule: "light", data: { fee: 4.5 }, isNearest: true }),
        ],
        bands: expect.objectContaining({
          list: [
            expect.objectContaining({ from: 0, to: 2, matchedRule: "light" }),
            expect.objectContaining({ from: 2.5, to: 50, matchedRule: "heavy" }),
          ],
        }),
      }),
      expect.objectContaining({
        path: "/zone",
        flips: [expect.objectContaining({ to: "abroad", matchedRule: "abroad" })],
      }),
    ]),
  });
});

it("the typed client knows the contract of a table", async () => {
  const decisions = [feeTable()] as const;
  const { server } = serve({ decisions });
  const url = await server.handler.listen({ port: 0, host: "127.0.0.1" });
  const decern = createClient<typeof decisions>({ url });
  const result = await decern["shipping-fee"](heavy);
  const fee: number | undefined = result.status === "OK" ? result.data.fee : undefined;
  expect(fee).toBe(6);
  // @ts-expect-error the contract has no such zone
  expect(await decern["shipping-fee"]({ zone: "moon", weight: 1 })).toMatchObject({
    status: "INVALID_INPUT",
  });
});

it("OpenAPI describes what the contract allows, as another library reads it", async () => {
  const { send } = serve({ openapi: openapi({ enabled: true }) });
  const { body } = await send("GET", "/decisions/shipping-fee/endpoint-schema");
  const isValid = new Ajv({ strict: false }).compile(body.requestSchema);
  expect([{ input: heavy }, { input: { zone: "moon", weight: 3 } }, {}].map((each) => isValid(each))).toEqual(
    [true, false, false],
  );
  const { body: document } = await send("GET", "/openapi.json");
  expect(Object.keys(document.paths)).toContain("/decisions/shipping-fee");
});

it("AuthZEN: a table permits, and says which row did", async () => {
  const access = readTable(
    tableContract({
      id: "can-send",
      inputSchema: z.object({ role: z.string(), action: z.string() }),
      outputSchema: z.object({ allowed: z.boolean() }),
      profileSchema: z.object({}),
    }),
    {
      name: "access.csv",
      bytes: Buffer.from(
        "table,can-send\nversion,1.0.0\nhit policy,F\nrule,role,action,→ allowed\nclerks,clerk,send,true\nothers,-,-,false",
      ),
    },
  );
  const facade = authzen({
    evaluation: access,
    toInput: ({ subject, action }) => ({ role: String(subject.properties?.["role"]), action: action.name }),
  });
  const { send } = serve({ decisions: [access], profiles: {}, facades: [facade] });
  const ask = async (role: string) => {
    const subject = { type: "user", id: "ada", properties: { role } };
    const resource = { type: "parcel", id: "p-1" };
    return (await send("POST", "/access/v1/evaluation", { subject, action: { name: "send" }, resource }))
      .body;
  };
  expect(await ask("clerk")).toMatchObject({ decision: true, context: { rule: "clerks" } });
  expect(await ask("guest")).toMatchObject({ decision: false, context: { rule: "others" } });
});

it("OpenTelemetry: the span of an evaluation names the row", async () => {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const { evaluate } = serve({ observers: [openTelemetry({ tracerProvider })] });
  await evaluate(heavy);
  expect(
    exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes["decern.rule"]]),
  ).toEqual([["evaluate shipping-fee", "heavy"]]);
});

it("a warehouse evaluates a table for each row", async () => {
  const { log, records } = logged();
  const decide = createWarehouseFunction({
    engine: "redshift",
    decision: withProfile(feeTable(), profiles["shipping-fee"]),
    columns: ["zone", "weight"],
    log,
  });
  const rows = [
    ["home", "3"],
    ["abroad", "3"],
    ["moon", "3"],
  ];
  const reply = JSON.parse(await decide({ request_id: "r", num_records: 3, arguments: rows }));
  expect(reply.results.map((text: string) => JSON.parse(text))).toMatchObject([
    { status: "OK", data: { fee: 6 } },
    { status: "OK", data: { fee: 20 } },
    { status: "INVALID_INPUT" },
  ]);
  const kept = (await records()).map(({ contentHash, matchedRule }) => [contentHash, matchedRule]);
  const hash = hashOf(feeTable());
  expect(kept).toEqual([
    [hash, "heavy"],
    [hash, "abroad"],
    [hash, undefined],
  ]);
});
