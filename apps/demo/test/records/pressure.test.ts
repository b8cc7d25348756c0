import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authzen } from "@decern/authzen";
import { defineDecision } from "@decern/core";
import { feature } from "@decern/core/options";
import {
  type DecisionLog,
  type DecisionLogOptions,
  decisionLog,
  ndjsonFiles,
  type RecordStore,
} from "@decern/decision-log";
import { typebox } from "@decern/schema";
import { createServer } from "@decern/server";
import { createWarehouseHandler } from "@decern/warehouse";
import express from "express";
import { Type } from "typebox";
import { describe, expect, it, onTestFinished } from "vitest";
import { hosts, post } from "../facades/facade-hosts.js";
import { silent } from "./recorded-hosts.js";

const any = typebox(Type.Any());
const decision = (version: string) =>
  defineDecision({
    id: "d",
    version,
    inputSchema: any,
    outputSchema: any,
    profileSchema: any,
    rules: [{ id: "all", when: () => true, emit: () => ({ ok: true }) }],
  });
const decisions = [decision("1")];
const total = 600;
/** About 150 records. */
const maxPendingBytes = 200_000;
const url = "/decisions/d";

/** A log over files that are not written until a test says so. */
function slowLog(options: Partial<DecisionLogOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "decern-pressure-"));
  const files = ndjsonFiles(directory);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const store: RecordStore = {
    [feature]: "record-store",
    open: async (how) => {
      const writer = await files.open(how);
      return {
        get head() {
          return writer.head;
        },
        write: async (batch) => {
          await released;
          return writer.write(batch);
        },
        close: () => writer.close(),
      };
    },
    find: (query) => files.find(query),
    profile: (hash) => files.profile(hash),
    content: (hash) => files.content(hash),
    chains: () => files.chains(),
    erasures: () => files.erasures(),
    erase: (subjects) => files.erase(subjects),
    stats: () => files.stats(),
    close: () => files.close(),
  };
  const log = decisionLog({ store, logger: silent, maxPendingBytes, writeTimeoutMs: 600_000, ...options });
  const counts = { written: 0, lost: 0, refused: 0 };
  let evaluated = 0;
  const observer = {
    onEvaluated: () => {
      evaluated += 1;
    },
    onRecorded: ({ outcome, count }: { readonly outcome: keyof typeof counts; readonly count: number }) => {
      counts[outcome] += count;
    },
  };
  onTestFinished(async () => {
    release();
    await log.close();
    rmSync(directory, { recursive: true, force: true });
  });
  /** Waits until evaluations wait for the log. */
  const isFull = async (): Promise<number> => {
    let last = 0;
    const isStill = () => {
      const still = evaluated > 1 && evaluated === last;
      last = evaluated;
      return still;
    };
    await expect.poll(isStill, { interval: 100 }).toBe(true);
    return evaluated;
  };
  return { log, observers: [observer], counts, release, isFull, evaluated: () => evaluated };
}

async function recordedIds(log: DecisionLog): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { requestId } of log.find()) ids.push(requestId);
  return ids;
}

type Mount = (parts: ReturnType<typeof slowLog>) => Promise<{
  /** Asks for many evaluations. @returns how each of them ended */
  readonly many: () => Promise<readonly unknown[]>;
  readonly single: (requestId: string) => Promise<number>;
}>;

const lines = "1\n".repeat(total);
const listening = async (server: ReturnType<typeof createServer>): Promise<string> => {
  onTestFinished(() => server.close());
  return `${await server.handler.listen({ port: 0, host: "127.0.0.1" })}`;
};
const askOne = (origin: string) => async (requestId: string) =>
  (await post(`${origin}${url}`, { input: 1 }, { "x-request-id": requestId })).status;
const sendLines = async (origin: string, signal?: AbortSignal): Promise<readonly string[]> => {
  const headers = { "content-type": "application/x-ndjson" };
  const reply = await fetch(`${origin}${url}/batch`, {
    method: "POST",
    headers,
    body: lines,
    signal: signal ?? null,
  });
  return (await reply.text()).trimEnd().split("\n");
};

const withFacade =
  (start: (typeof hosts)[string]): Mount =>
  async ({ log, observers }) => {
    const facades = [
      authzen({ evaluation: decisions[0] ?? decision("1"), toInput: () => 1, isDenied: () => false }),
    ];
    const host = await start({ decisions, facades, log, observers, logger: silent });
    onTestFinished(async () => void (await host.close()));
    const access = {
      subject: { type: "u", id: "a" },
      action: { name: "read" },
      resource: { type: "d", id: "1" },
    };
    return {
      many: async () => {
        const evaluations = Array.from({ length: total }, () => ({}));
        const { body } = await post(`${host.url}/access/v1/evaluations`, { ...access, evaluations });
        const { evaluations: answers } = body as { evaluations: { decision: unknown; context: object }[] };
        return answers.map(({ decision: allowed }) => (allowed === true ? "OK" : "failed"));
      },
      single: async (requestId) =>
        (await post(`${host.url}/access/v1/evaluation`, access, { "x-request-id": requestId })).status,
    };
  };

const mounts: Readonly<Record<string, Mount>> = {
  "a stream": async ({ log, observers }) => {
    const origin = await listening(createServer({ decisions, log, observers, logger: false }));
    const many = async () => {
      const replies = (await sendLines(origin)).map((line) => JSON.parse(line));
      expect(replies.pop()).toEqual({ done: true, count: total });
      return replies.map(({ status, code }) => code ?? status);
    };
    return { many, single: askOne(origin) };
  },
  "a list": async ({ log, observers }) => {
    const origin = await listening(createServer({ decisions, log, observers, logger: false }));
    const many = async () => {
      const inputs = Array.from({ length: total }, () => 1);
      const { body } = await post(`${origin}${url}/batch`, { inputs });
      return (body as { results: { status?: string; code?: string }[] }).results.map(
        ({ status, code }) => code ?? status,
      );
    };
    return { many, single: askOne(origin) };
  },
  "a list of AuthZEN in the server": withFacade(
    (options) => hosts["the server"]?.(options) ?? Promise.reject(),
  ),
  "a list of AuthZEN in Express": withFacade(
    (options) => hosts["the Express router"]?.(options) ?? Promise.reject(),
  ),
  "a list of AuthZEN in Fastify": withFacade(
    (options) => hosts["the Fastify plugin"]?.(options) ?? Promise.reject(),
  ),
  "rows of a warehouse": async ({ log, observers }) => {
    const app = express();
    const one = defineDecision({
      id: "d",
      version: "1",
      inputSchema: typebox(Type.Object({ n: Type.Number() })),
      outputSchema: any,
      profileSchema: any,
      rules: [{ id: "all", when: () => true, emit: () => ({ ok: true }) }],
    });
    const handler = createWarehouseHandler({
      engine: "bigquery",
      decision: one,
      columns: ["n"],
      authenticate: "host",
      log,
      observers,
      logger: silent,
    });
    app.post("/rows", handler);
    const server = app.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const path = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/rows`;
    const ask = (requestId: string, rows: number) =>
      post(path, { requestId, caller: "", sessionUser: "", calls: Array.from({ length: rows }, () => [1]) });
    return {
      many: async () => {
        const { body } = await ask("many", total);
        return (body as { replies: unknown[] }).replies.map((reply) =>
          `${JSON.stringify(reply)}`.includes("ok") ? "OK" : reply,
        );
      },
      single: async (requestId) => (await ask(requestId, 1)).status,
    };
  },
};

describe.each(Object.entries(mounts))("%s", (name, mount) => {
  it.each(["refuse", "drop"] as const)(
    "waits for the log and fails at nothing, and leaves room for others (onFull: %s)",
    async (onFull) => {
      const parts = slowLog({ onFull });
      const { many, single } = await mount(parts);
      const answers = many();
      const held = await parts.isFull();
      // Single calls find as much room again.
      expect(held).toBeGreaterThan(40);
      expect(held).toBeLessThan(100);
      expect(parts.log.isAvailable).toBe(true);
      // A single row is a list of one.
      const others = name === "rows of a warehouse" ? [] : ["other-1", "other-2", "other-3"];
      for (const id of others) expect(await single(id)).toBe(200);
      expect(parts.evaluated()).toBe(held + others.length);
      parts.release();
      expect(await answers).toEqual(Array.from({ length: total }, () => "OK"));
      await parts.log.flush();
      expect(parts.counts).toEqual({ written: total + others.length, lost: 0, refused: 0 });
      expect(await recordedIds(parts.log)).toEqual(expect.arrayContaining(others));
    },
  );
});

describe("a stream that waits for the log", () => {
  it('waits with `durable: "reply"` too', async () => {
    const parts = slowLog({ durable: "reply", maxPendingBytes: 60_000 });
    const origin = await listening(
      createServer({ decisions, log: parts.log, observers: parts.observers, logger: false }),
    );
    const answers = sendLines(origin);
    const held = await parts.isFull();
    expect(held).toBeLessThan(40);
    expect(parts.log.isAvailable).toBe(true);
    parts.release();
    expect((await answers).filter((line) => line.includes('"OK"'))).toHaveLength(total);
    expect(parts.counts).toEqual({ written: total, lost: 0, refused: 0 });
  });

  it("evaluates nothing more once its client has left", async () => {
    const parts = slowLog();
    const server = createServer({ decisions, log: parts.log, observers: parts.observers, logger: false });
    const origin = await listening(server);
    const left = new Promise((resolve) => {
      server.handler.server.once("request", (_request, reply) => reply.once("close", resolve));
    });
    const leaving = new AbortController();
    const answers = sendLines(origin, leaving.signal).catch(() => "left");
    const held = await parts.isFull();
    leaving.abort();
    expect(await answers).toBe("left");
    await left;
    parts.release();
    await parts.log.flush();
    await server.close();
    expect(parts.evaluated()).toBe(held);
    expect(parts.counts.written).toBe(held);
  });

  it("says where it ends when the server closes", async () => {
    const parts = slowLog();
    const server = createServer({
      decisions,
      log: parts.log,
      observers: parts.observers,
      logger: false,
      closeTimeoutMs: 4000,
    });
    const origin = await listening(server);
    const answers = sendLines(origin);
    const held = await parts.isFull();
    const closing = server.close();
    const replies = (await answers).map((line) => JSON.parse(line));
    expect(replies.pop()).toMatchObject({ code: "SERVER_CLOSING" });
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: held }, () => "OK"));
    parts.release();
    await closing;
    expect(parts.counts).toEqual({ written: held, lost: 0, refused: 0 });
  });

  it("leaves room beside its shadows, and all of them are recorded", async () => {
    const parts = slowLog();
    const origin = await listening(
      createServer({
        decisions: [...decisions, decision("2")],
        versions: { d: { default: "1" } },
        shadow: { d: { version: "2" } },
        log: parts.log,
        observers: parts.observers,
        logger: false,
      }),
    );
    const answers = sendLines(origin);
    await parts.isFull();
    expect(parts.log.isAvailable).toBe(true);
    expect(await askOne(origin)("other")).toBe(200);
    parts.release();
    expect((await answers).filter((line) => line.includes('"OK"'))).toHaveLength(total);
    await expect
      .poll(() => parts.log.flush().then(() => parts.counts))
      .toEqual({ written: 2 * (total + 1), lost: 0, refused: 0 });
  });
});
