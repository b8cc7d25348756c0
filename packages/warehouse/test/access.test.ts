import type { DecisionLog, Hooks, Recorder } from "@decern/core";
import { Lists } from "@decern/core/host";
import { feature } from "@decern/core/options";
import { describe, expect, it, vi } from "vitest";
import { BatchEvaluator } from "../src/batch-evaluator.js";
import { createWarehouseFunction, type WarehouseBatch } from "../src/index.js";
import { warehouseRows } from "../src/options.js";
import { bigquery as bigqueryProtocol } from "../src/protocols/warehouses.js";
import { loan, silent } from "./support/decisions.js";
import { hosts } from "./support/hosts.js";

const bigquery = {
  engine: "bigquery",
  decision: loan,
  columns: ["amount"],
  logger: silent,
  authenticate: "host",
} as const;
const snowflake = { ...bigquery, engine: "snowflake" } as const;
const body =
  '{"requestId":"124ab1c","sessionUser":"ann@example.com","userDefinedContext":{"region":"eu"},"calls":[[1]]}';

/** A hook that lets nothing through before somebody says so. */
function held() {
  const waiting: (() => void)[] = [];
  const hooks: Hooks = { beforeEvaluate: () => new Promise<void>((resolve) => waiting.push(resolve)) };
  const release = (): void => {
    for (const go of waiting.splice(0)) go();
  };
  return { waiting, hooks, release };
}

describe.each(hosts)("%s", (_name, serve) => {
  it("asks authenticate before it answers", async () => {
    const answers: unknown[] = [false, undefined, {}, { caller: "" }, true, { caller: "warehouse" }];
    const callers: unknown[] = [];
    const ask = await serve({
      ...bigquery,
      authenticate: ({ method, path, headers, ip }) => {
        expect({ method, path, key: headers["x-key"], ip }).toEqual({
          method: "POST",
          path: "/loans",
          key: "k",
          ip: expect.any(String),
        });
        return JSON.parse(JSON.stringify(answers.shift() ?? null));
      },
      observers: [
        {
          onEvaluated: ({ context: { caller, request } }) =>
            callers.push([caller, request?.identity?.caller]),
        },
      ],
    });
    const statuses: number[] = [];
    while (answers.length > 0) statuses.push((await ask(body, { "x-key": "k" })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 200, 200]);
    expect(callers).toEqual([
      [undefined, undefined],
      ["warehouse", "warehouse"],
    ]);
  });

  it("answers nobody whose caller a copy would lose: a logged fault", async () => {
    const user = Object.create({ caller: "warehouse" });
    const error = vi.fn();
    const onEvaluated = vi.fn();
    const logger = { error };
    const ask = await serve({
      ...bigquery,
      logger,
      authenticate: () => user,
      observers: [{ onEvaluated }],
    });
    const failed = await ask(body);
    expect(failed).toMatchObject({
      status: 500,
      text: '{"errorMessage":"Internal server error (INTERNAL_ERROR)"}',
    });
    expect(error).toHaveBeenCalledOnce();
    expect(onEvaluated).not.toHaveBeenCalled();
  });

  it("masks what authenticate throws, and takes the 4xx status of an error", async () => {
    const errors = [Object.assign(new Error("expired"), { statusCode: 403 }), new Error("secret")];
    const error = vi.fn();
    const ask = await serve({
      ...bigquery,
      logger: { error },
      authenticate: () => {
        throw errors.shift();
      },
    });
    const refused = await ask(body);
    expect(refused).toMatchObject({ status: 403, text: '{"errorMessage":"expired (EVALUATION_ABORTED)"}' });
    expect(error).not.toHaveBeenCalled();
    const failed = await ask(body);
    expect(failed).toMatchObject({
      status: 500,
      text: '{"errorMessage":"Internal server error (INTERNAL_ERROR)"}',
    });
    expect(error).toHaveBeenCalledOnce();
  });

  it.each([
    [bigquery, body],
    [snowflake, '{"data":[[0,1]]}'],
  ])("replies 429 above the limit, and answers again when there is room: $engine", async (options, sent) => {
    const { waiting, hooks, release } = held();
    const overload = { maxConcurrent: 1, retryAfterSeconds: 3 };
    const ask = await serve({ ...options, hooks, overload, hookTimeoutMs: 600_000 });
    const first = ask(sent);
    await expect.poll(() => waiting).toHaveLength(1);
    const shed = await ask(sent);
    expect({ status: shed.status, headers: shed.headers.get("retry-after") }).toEqual({
      status: 429,
      headers: "3",
    });
    expect(shed.headers.get("cache-control")).toBe("no-store");
    expect(shed.text).toContain("(OVERLOADED)");
    release();
    expect((await first).status).toBe(200);
    const next = ask(sent);
    await expect.poll(() => waiting).toHaveLength(1);
    release();
    expect((await next).status).toBe(200);
  });

  it("resolves a profile and a caller once for a request", async () => {
    const seen: WarehouseBatch[] = [];
    const events: unknown[] = [];
    const ask = await serve({
      ...bigquery,
      caller: ({ user }) => user,
      profileResolver: (batch) => {
        seen.push(batch);
        return batch.context["region"] === "eu" ? { limit: 5 } : {};
      },
      observers: [
        {
          onEvaluated: ({ context: { caller, requestId, profile } }) =>
            events.push([caller, requestId, profile]),
        },
      ],
    });
    const { text } = await ask(body.replace("[[1]]", "[[5],[6]]"));
    expect(JSON.parse(text).replies.map((reply: string) => JSON.parse(reply).matchedRule)).toEqual([
      "small",
      "large",
    ]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      engine: "bigquery",
      id: "124ab1c",
      user: "ann@example.com",
      context: { region: "eu" },
    });
    expect(events).toEqual([
      ["ann@example.com", "124ab1c.0", { limit: 5 }],
      ["ann@example.com", "124ab1c.1", { limit: 5 }],
    ]);
  });

  it("does not let an engine retry an invalid profile or caller, and logs them", async () => {
    const error = vi.fn();
    const wrong: { limit: number } = JSON.parse('{"limit":"many"}');
    const profiles = await serve({ ...bigquery, logger: { error }, profileResolver: () => wrong });
    expect((await profiles(body)).status).toBe(422);
    const callers = await serve({ ...bigquery, logger: { error }, caller: () => "" });
    expect((await callers(body)).status).toBe(422);
    expect(error).toHaveBeenCalledTimes(2);
  });
});

it("stops when nobody waits for the answers", async () => {
  let evaluated = 0;
  const options = {
    decision: loan,
    columns: ["amount"],
    hooks: { beforeEvaluate: async () => {} },
    observers: [{ onEvaluated: () => void evaluated++ }],
  } as const;
  const batches = new BatchEvaluator("test", options, warehouseRows, bigqueryProtocol);
  const lists = new Lists(batches.service.runner);
  const body = { calls: Array.from({ length: 1000 }, () => [1]) };
  const origin = { caller: undefined, request: undefined };
  const received = { body, isSuspicious: false, headers: {}, origin };
  expect(
    await batches.answer(
      received,
      lists,
      lists.placesOf({}, () => evaluated > 0),
    ),
  ).toBeUndefined();
  expect(evaluated).toBeLessThan(1000);
});

it("knows Snowflake's batch and user by their headers", async () => {
  const seen: WarehouseBatch[] = [];
  const ids: (string | undefined)[] = [];
  const answer = createWarehouseFunction({
    engine: "snowflake",
    decision: loan,
    columns: ["amount"],
    caller: (batch) => void seen.push(batch),
    observers: [{ onEvaluated: ({ context: { requestId } }) => void ids.push(requestId) }],
  });
  const headers = {
    "sf-external-function-query-batch-id": "01b02bdf-0001-7b58-0003-27d60056b5a6:1:1:0:0",
    "SF-Context-Current-User": "ANN",
  };
  await answer({ headers, body: '{"data":[[0,1],[1,2]]}' });
  expect(seen[0]).toMatchObject({ id: headers["sf-external-function-query-batch-id"], user: "ANN" });
  expect(ids).toEqual([
    "01b02bdf-0001-7b58-0003-27d60056b5a6-1-1-0-0.0",
    "01b02bdf-0001-7b58-0003-27d60056b5a6-1-1-0-0.1",
  ]);
});

it("knows a user of Snowflake whose name a header cannot have", async () => {
  const users: (string | undefined)[] = [];
  const answer = createWarehouseFunction({
    engine: "snowflake",
    decision: loan,
    columns: ["amount"],
    caller: ({ user }) => void users.push(user),
  });
  // https://docs.snowflake.com/en/sql-reference/sql/create-external-function#optional-parameters
  for (const name of ["JÖRG", "JÜRG", "ANN"]) {
    const headers = {
      "sf-context-current-user": name.replace(/[^A-Z]+/g, " "),
      "sf-context-current-user-base64": Buffer.from(name).toString("base64"),
    };
    await answer({ headers, body: '{"data":[[0,1]]}' });
  }
  expect(users).toEqual(["JÖRG", "JÜRG", "ANN"]);
});

it("tells hooks and the logger of a fault in one row, and the warehouse only its code", async () => {
  const error = vi.fn();
  const onError = vi.fn();
  const statuses: string[] = [];
  const answer = createWarehouseFunction({
    engine: "redshift",
    decision: loan,
    columns: ["amount"],
    logger: { error },
    hooks: { onError },
    observers: [{ onEvaluated: ({ status }) => void statuses.push(status) }],
  });
  const { success, results } = JSON.parse(await answer({ arguments: [[1], [13], [null]] }));
  expect(success).toBe(true);
  expect(results[1]).toBe('{"status":"ERROR","code":"EVALUATION_FAILED","error":"Evaluation failed"}');
  expect(JSON.parse(results[2]).status).toBe("INVALID_INPUT");
  expect(statuses).toEqual(["OK", "ERROR", "INVALID_INPUT"]);
  expect(error).toHaveBeenCalledOnce();
  expect(onError).toHaveBeenCalledWith(
    expect.anything(),
    expect.objectContaining({ message: "the secret of the rule" }),
  );
});

/** A log that has room for so many records. */
function logWithRoom(room: number, ids: string[]): DecisionLog {
  const never = async (): Promise<never> => {
    throw new Error("not asked for");
  };
  const recorder: Recorder = {
    admit: () => ids.length < room,
    hasRoomForMany: true,
    choose: () => ({ recordId: "r", sampleRate: 1 }),
    record: (_ticket, { requestId }) => void ids.push(requestId),
  };
  return {
    [feature]: "decision-log",
    isAvailable: true,
    attach: () => recorder,
    find: () => (async function* () {})(),
    profile: never,
    content: never,
    flush: never,
    close: never,
  };
}

it("records every row, and fails a request whose rows cannot be recorded so that it is sent again", async () => {
  const ids: string[] = [];
  const answer = createWarehouseFunction({
    engine: "snowflake",
    decision: loan,
    columns: ["amount"],
    logger: silent,
    log: logWithRoom(3, ids),
  });
  const headers = { "sf-external-function-query-batch-id": "b" };
  expect((await answer({ headers, body: '{"data":[[0,1],[1,-1]]}' })).statusCode).toBe(200);
  expect(ids).toEqual(["b.0", "b.1"]);
  const refused = await answer({ headers, body: '{"data":[[0,1],[1,1]]}' });
  expect({ statusCode: refused.statusCode, code: JSON.parse(refused.body).code }).toEqual({
    statusCode: 503,
    code: "RECORD_UNAVAILABLE",
  });
});
