import { setTimeout as wait } from "node:timers/promises";
import type { DecisionLog, DecisionRecord, RecordQuery, SourceLoad } from "@decern/core";
import type { DecisionLogOptions } from "@decern/decision-log";
import { metrics } from "@decern/metrics";
import { replay } from "@decern/replay";
import { apiKeys, createServer } from "@decern/server";
import { tableContract } from "@decern/table";
import { type ActivateOptions, watchDecisions } from "@decern/watch";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { journal } from "../records/journal.js";
import { LiveFile } from "./live-fee.js";

const inputSchema = z.object({ weight: z.number(), name: z.string().optional() });
const outputSchema = z.object({ fee: z.number() });
const profileSchema = z.object({});
const fee = tableContract({ id: "fee", inputSchema, outputSchema, profileSchema });
const quiet = tableContract({ id: "quiet", inputSchema, outputSchema, profileSchema });

/** Weights below the limit have another fee than those from it on. */
function table(id: string, version: string, limit: number, path = "weight"): object {
  return {
    table: id,
    version,
    hitPolicy: "U",
    inputs: [{ path }],
    outputs: [{ path: "fee" }],
    rules: [
      { id: "low", if: [`< ${limit}`], then: [1] },
      { id: "high", if: [`>= ${limit}`], then: [2] },
    ],
  };
}

const set = (revision: string, limit: number, quietLimit = 0, more: object = {}): object => ({
  revision,
  decisions: [table("fee", `f${limit}`, limit), table("quiet", `q${quietLimit}`, quietLimit)],
  ...more,
});

interface Started {
  readonly activate?: Partial<ActivateOptions>;
  readonly over?: (log: DecisionLog) => ActivateOptions["over"];
  readonly logOptions?: Omit<DecisionLogOptions, "store">;
  readonly keptLog?: Pick<ReturnType<typeof journal>, "log" | "remove">;
}

const key = { "x-api-key": "a key" };

/** A server with a gate, and its log. */
function serving(file: LiveFile, { activate, over = (log) => log, logOptions, keptLog }: Started = {}) {
  const { log, remove } = keptLog ?? journal(logOptions);
  const errors: { readonly details: Readonly<Record<string, unknown>>; readonly message: string }[] = [];
  const infos: string[] = [];
  const server = createServer({
    decisions: watchDecisions({
      file: file.path,
      contracts: [fee, quiet],
      everyMs: 100,
      activate: { maxDifferent: 0.1, over: over(log), replay, ...activate },
    }),
    observers: [file],
    profileOverride: false,
    log,
    records: () => true,
    authenticate: apiKeys({ keys: { auditor: ["a key"] } }),
    metrics: metrics({ enabled: true }),
    publicMetrics: true,
    logger: {
      error: (details, message) => void errors.push({ details, message }),
      warn() {},
      info: (_details, message) => void infos.push(message),
    },
  });
  // The log is closed after its server.
  if (keptLog === undefined) onTestFinished(() => remove());
  onTestFinished(() => server.close());
  const json = async (url: string): Promise<unknown> =>
    (await server.handler.inject({ url, headers: key })).json();
  return {
    server,
    log,
    errors,
    infos,
    json,
    page: async () => (await server.handler.inject("/metrics")).body,
    /** Evaluates each weight once, and waits for the records. */
    call: async (id: string, weights: readonly number[], more: object = {}) => {
      const inputs = weights.map((weight) => ({ weight, ...more }));
      const url = `/decisions/${id}/batch`;
      const reply = await server.handler.inject({ method: "POST", url, headers: key, payload: { inputs } });
      expect(reply.statusCode).toBe(200);
      await log.flush();
    },
    versions: async () => {
      const { decisions } = z
        .object({ decisions: z.array(z.object({ version: z.string() })) })
        .parse(await json("/decisions"));
      return decisions.map(({ version }) => version);
    },
    ready: async () =>
      z.object({ decisions: z.looseObject({}) }).parse(await json("/health/ready")).decisions,
  };
}

/** The next load that is reported. */
async function next(file: LiveFile, seen = file.loads.length): Promise<SourceLoad | undefined> {
  await expect.poll(() => file.loads.length).toBeGreaterThan(seen);
  return file.loads.at(-1);
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

async function started(options: Started = {}) {
  const file = new LiveFile(set("first", 50));
  const host = serving(file, options);
  await expect.poll(() => file.loads.length).toBeGreaterThan(0);
  return { file, ...host };
}

describe("the gate of watched decisions", () => {
  it("starts with an empty log, and uses a set that changes no more than is allowed", async () => {
    const { file, call, versions, errors, infos } = await started();
    expect(file.loads).toEqual([
      {
        outcome: "loaded",
        revision: "first",
        comparisons: ["fee", "quiet"].map((decisionId) => ({
          decisionId,
          compared: 0,
          different: 0,
          unknown: 0,
          erased: 0,
          differentShare: 0,
          unknownShare: 0,
        })),
      },
    ]);
    await call("fee", upTo(100));
    const load = file.publish(set("second", 60));
    expect(await load).toMatchObject({
      outcome: "loaded",
      revision: "second",
      // What the set leaves as it is isn't compared.
      comparisons: [{ decisionId: "fee", compared: 100, different: 10, differentShare: 0.1 }],
    });
    expect(await versions()).toEqual(["f60", "q0"]);
    expect(errors).toEqual([]);
    expect(infos).toContain("Decisions were compared with records");
  });

  it("holds a set that changes more: the old one stays, and log, metrics, readiness and records tell", async () => {
    const { file, call, versions, errors, json, page, ready, log } = await started();
    await call("fee", upTo(100));
    const inUse = await ready();
    const load = await file.publish(set("second", 61));
    const reason = "11 of 100 records of fee would have another result (11 % of the calls, more than 10 %)";
    expect(load).toMatchObject({ outcome: "held", revision: "second", reason });
    expect(await versions()).toEqual(["f50", "q0"]);
    // Loads go on, and the same set is not compared again.
    await wait(350);
    expect(file.loads.map(({ outcome }) => outcome)).toEqual(["loaded", "held"]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      message: `Decisions are held: ${reason}. The last valid decisions stay in use`,
      details: { revision: "second", digest: expect.stringMatching(/^sha256:[\da-f]{64}$/) },
    });
    expect(JSON.stringify(errors[0])).not.toContain('"fee":');
    expect(await ready()).toEqual({
      ...inUse,
      held: { revision: "second", digest: errors[0]?.details["digest"], reason, since: expect.any(String) },
    });
    expect(await page()).toContain('engine_set_held{part="decisions"} 1');
    expect(await page()).toContain('engine_decision_loads_total{outcome="held"} 1');

    const { held } = z
      .object({ held: z.object({ changes: z.array(z.object({ recordId: z.string() }).loose()) }) })
      .parse(await json("/records/held"));
    expect(held.changes).toHaveLength(11);
    const weights = new Set<unknown>();
    for (const { recordId, ...change } of held.changes) {
      expect(change).toEqual({
        decisionId: "fee",
        before: { outcome: "OK/high", version: "f50", data: { fee: 2 } },
        after: { outcome: "OK/low", version: "f61", data: { fee: 1 } },
      });
      for await (const { payload } of log.find({ recordId }))
        weights.add(z.object({ weight: z.number() }).parse(payload?.input).weight);
    }
    expect(weights).toEqual(new Set(upTo(11).map((index) => 50 + index)));

    expect(await file.publish(set("first", 50))).toEqual({ outcome: "loaded", revision: "first" });
    expect(await ready()).toEqual(inUse);
    expect(await json("/records/held")).toEqual({ held: null });
    expect(await page()).toContain('engine_set_held{part="decisions"} 0');
  });

  it("judges each decision by its own records, however few they are", async () => {
    const { file, call } = await started();
    await call("fee", upTo(100));
    await call("quiet", [1, 2, 3]);
    expect(await file.publish(set("second", 50, 100))).toMatchObject({
      outcome: "held",
      reason: "3 of 3 records of quiet would have another result (100 % of the calls, more than 10 %)",
    });
  });

  it("compares at arrival, and switches at the instant", async () => {
    const { file, call, versions } = await started();
    await call("fee", upTo(100));
    const activateAt = new Date(Date.now() + 1500).toISOString();
    expect(await file.publish(set("held", 90, 0, { activateAt }))).toMatchObject({ outcome: "held" });
    expect(await file.publish(set("later", 55, 0, { activateAt }))).toMatchObject({
      outcome: "scheduled",
      comparisons: [{ decisionId: "fee", different: 5 }],
    });
    expect(await versions()).toEqual(["f50", "q0"]);
    await expect.poll(versions).toEqual(["f55", "q0"]);
  });

  it("uses a set that an operator has approved by its digest, and nothing else of that name", async () => {
    const kept = journal();
    onTestFinished(() => kept.remove());
    const first = new LiveFile(set("first", 50));
    const host = serving(first, { keptLog: kept });
    await next(first, 0);
    await host.call("fee", upTo(100));
    const held = await first.publish(set("second", 100));
    const digest = held?.outcome === "held" ? (held.digest ?? "") : "";
    const approving = new LiveFile(set("second", 100));
    const later = serving(approving, { keptLog: kept, activate: { approved: [digest] } });
    expect(await next(approving, 0)).toMatchObject({ outcome: "loaded", revision: "second" });
    expect(await later.versions()).toEqual(["f100", "q0"]);
    expect(await approving.publish(set("second", 101))).toMatchObject({ outcome: "held" });

    // A process that starts later uses what has decided since, without an approval.
    const restarted = new LiveFile(set("second", 100));
    serving(restarted, { keptLog: kept });
    expect(await next(restarted, 0)).toMatchObject({ outcome: "held" });
    await later.call("fee", [1]);
    const again = new LiveFile(set("second", 100));
    serving(again, { keptLog: kept });
    expect(await next(again, 0)).toMatchObject({ outcome: "loaded", revision: "second" });
  });

  it("is not ready where the first set is held", async () => {
    const { call, log } = await started();
    await call("fee", upTo(100));
    const other = new LiveFile(set("other", 100));
    const host = serving(other, { keptLog: { log, remove: async () => {} } });
    expect((await host.server.handler.inject("/health/ready")).statusCode).toBe(503);
    expect(await next(other, 0)).toMatchObject({ outcome: "held", revision: "other" });
    const notReady = await host.server.handler.inject("/health/ready");
    expect({ status: notReady.statusCode, body: notReady.json() }).toEqual({
      status: 503,
      body: {
        code: "DECISIONS_NOT_LOADED",
        error: expect.stringContaining("50 of 100 records of fee would have another result"),
      },
    });
    expect(host.errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Decisions are held: .* No decisions are in use yet$/),
    ]);
  });

  it("rejects an invalid set before anything is compared, also at start", async () => {
    const file = new LiveFile(set("wrong", 50, 0, { profiles: { fee: 1 } }));
    expect(() => serving(file)).toThrow("/profiles/fee");
  });
});

describe("what cannot be compared", () => {
  const hidden = (version: string, limit: number): object => ({
    ...set(version, 50),
    decisions: [table("fee", version, limit, "weight"), table("quiet", "q0", 0)],
  });

  it("does not count as equal: masked inputs that a rule reads", async () => {
    const { file, call, json } = await started({ logOptions: { mask: { fee: ["/input/weight"] } } });
    await call("fee", upTo(20));
    expect(await file.publish(hidden("f51", 51))).toMatchObject({
      outcome: "held",
      reason: "none of the 20 records of fee could be compared",
      comparisons: [{ decisionId: "fee", compared: 0, unknown: 20, unknownShare: 1 }],
    });
    expect(await json("/records/held")).toMatchObject({ held: { changes: [] } });
  });

  it("shows no output of a record of which something is masked", async () => {
    const { file, call, json } = await started({ logOptions: { mask: { fee: ["/input/name"] } } });
    await call("fee", upTo(100), { name: "Ada" });
    expect(await file.publish(set("second", 100))).toMatchObject({ outcome: "held" });
    const { held } = z
      .object({ held: z.object({ changes: z.array(z.unknown()) }) })
      .parse(await json("/records/held"));
    expect(held.changes).toHaveLength(20);
    for (const change of held.changes)
      expect(change).toEqual({
        recordId: expect.any(String),
        decisionId: "fee",
        before: { outcome: "OK/high", version: "f50" },
        after: { outcome: "OK/low", version: "f100" },
      });
  });

  it("has a limit of its own", async () => {
    const over = (log: DecisionLog): ActivateOptions["over"] => ({
      async *find(query?: RecordQuery): AsyncGenerator<DecisionRecord> {
        let read = 0;
        for await (const record of log.find(query)) {
          read += 1;
          // Every fifth one as it is written where its mask fails.
          yield read % 5 === 0 ? { ...record, masked: [""], payload: null } : record;
        }
      },
      profile: (hash) => log.profile(hash),
    });
    const strict = await started({ over });
    await strict.call("fee", upTo(20));
    expect(await strict.file.publish(set("second", 51))).toMatchObject({
      outcome: "held",
      reason: "4 records of fee could not be compared (20 % of the calls, more than 10 %)",
    });
    const lenient = await started({ over, activate: { maxUnknown: 0.2 } });
    await lenient.call("fee", upTo(20));
    expect(await lenient.file.publish(set("second", 51))).toMatchObject({ outcome: "loaded" });
  });

  it("leaves out records that were erased", async () => {
    const person = z.object({ name: z.string() });
    const of = { fee: (input: unknown) => person.safeParse(input).data?.name };
    const { file, call, log } = await started({ logOptions: { subject: { key: "k".repeat(32), of } } });
    await call("fee", upTo(10), { name: "erased" });
    await call("fee", upTo(10));
    await log.erase({ subject: "erased" });
    expect(await file.publish(set("second", 51))).toMatchObject({
      outcome: "loaded",
      comparisons: [{ compared: 10, unknown: 10, erased: 10, unknownShare: 0 }],
    });
  });

  it("keeps the last set while the log cannot be read, and compares again once it can", async () => {
    let isBroken = false;
    const over = (log: DecisionLog): ActivateOptions["over"] => ({
      async *find(query?: RecordQuery): AsyncGenerator<DecisionRecord> {
        if (isBroken) throw new Error("connection refused");
        yield* log.find(query);
      },
      profile: (hash) => log.profile(hash),
      content: (hash) => log.content(hash),
    });
    const { file, call, versions, ready, errors } = await started({ over });
    await call("fee", upTo(100));
    isBroken = true;
    const load = await file.publish(set("second", 55));
    expect(load).toMatchObject({ outcome: "failed", error: { code: "DECISIONS_NOT_LOADED" } });
    expect(String(load?.outcome === "failed" && load.error)).toContain("could not be compared with records");
    expect(await versions()).toEqual(["f50", "q0"]);
    expect(await ready()).toMatchObject({ revision: "first", failingSince: expect.any(String) });
    expect(errors[0]?.message).toBe("Decisions could not be loaded. The last valid decisions stay in use");
    isBroken = false;
    await expect.poll(versions).toEqual(["f55", "q0"]);
  });

  it("keeps the last set where the log does not reply in time, and asks it nothing while it hangs", async () => {
    let isHanging = false;
    let asked = 0;
    const over = (log: DecisionLog): ActivateOptions["over"] => ({
      async *find(query?: RecordQuery): AsyncGenerator<DecisionRecord> {
        if (isHanging) {
          asked += 1;
          await new Promise(() => {});
        }
        yield* log.find(query);
      },
      profile: (hash) => log.profile(hash),
    });
    const { file, versions } = await started({ over, activate: { timeoutMs: 200 } });
    isHanging = true;
    const load = await file.publish(set("second", 55));
    expect(String(load?.outcome === "failed" && load.error)).toContain("longer than 200 ms");
    await next(file);
    await next(file);
    expect(asked).toBe(1);
    expect(await versions()).toEqual(["f50", "q0"]);
  });

  it("does not take a log of which no line is a record for an empty one", async () => {
    const over = (): ActivateOptions["over"] => ({
      async *find(query?: RecordQuery): AsyncGenerator<DecisionRecord> {
        query?.onUnreadable?.({ at: "line 1", reason: "it is not JSON" });
        yield* [];
      },
      profile: async () => undefined,
    });
    const file = new LiveFile(set("first", 50));
    serving(file, { over });
    expect(await next(file, 0)).toMatchObject({
      outcome: "failed",
      error: { cause: { message: "the log has no readable record" } },
    });
  });
});

it("reads a bounded number of records, and serves requests meanwhile", async () => {
  const queries: (RecordQuery | undefined)[] = [];
  let records: readonly DecisionRecord[] = [];
  let read = 0;
  const over = (log: DecisionLog): ActivateOptions["over"] => ({
    async *find(query?: RecordQuery): AsyncGenerator<DecisionRecord> {
      queries.push(query);
      if (query?.decision !== "fee") return;
      for (let left = query.limit ?? Number.POSITIVE_INFINITY; left > 0 && records.length > 0; left -= 1) {
        read += 1;
        const record = records[left % records.length];
        if (record !== undefined) yield record;
      }
    },
    profile: (hash) => log.profile(hash),
    content: (hash) => log.content(hash),
  });
  const { file, call, log, server } = await started({
    over,
    activate: { last: 100_000, timeoutMs: 300_000 },
  });
  await call("fee", upTo(100));
  const found: DecisionRecord[] = [];
  for await (const record of log.find()) found.push(record);
  records = found;
  let turns = 0;
  let isOver = false;
  const published = file.publish(set("second", 55)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    expect((await server.handler.inject("/health/live")).statusCode).toBe(200);
    if (read > 0 && read < 100_000) turns += 1;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  expect(await published).toMatchObject({
    outcome: "loaded",
    comparisons: [{ decisionId: "fee", compared: 100_000, different: 5000 }],
  });
  expect(read).toBe(100_000);
  // Between two turns, the records of 5 ms are compared.
  expect(turns).toBeGreaterThan(10);
  const [asked] = queries.filter((query) => query?.limit === 100_000 && query.decision === "fee");
  expect(asked).toMatchObject({ newestFirst: true, from: expect.any(Date) });
});
