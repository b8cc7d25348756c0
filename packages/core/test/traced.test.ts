import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createSingleService, Handler } from "../src/host.js";
import { replyOf } from "../src/http/reply.js";
import { type Decision, defineDecision, evaluate, type Reply } from "../src/index.js";
import { unknownOrigin } from "../src/service/request-view.js";
import { fixedClock, recordingLogger } from "./fixtures.js";
import { targetOf } from "./fixtures-http.js";

const clock = fixedClock();

/** Evaluates as a host does that asked for the trace. */
async function trace(decision: Decision, input: unknown): Promise<Reply> {
  const service = createSingleService("test", { decision, clock, logger: recordingLogger() });
  const asking = { source: {}, requestId: "req-1", input: () => input, origin: () => unknownOrigin };
  return replyOf(await new Handler(service).tracing().run(asking, targetOf(service.catalogue.current)));
}

const anything = { inputSchema: z.unknown(), outputSchema: z.unknown(), profileSchema: z.object({}) };

/** Returns a list with its input. */
const echo = defineDecision({
  id: "echo",
  version: "1.0.0",
  ...anything,
  rules: [{ id: "only", when: () => true, emit: (input) => [input] }],
});

/** Evaluates `echo` for each of the values that it makes of its input. */
const echoing = (values: (input: unknown) => readonly unknown[]) =>
  defineDecision({
    id: "echoing",
    version: "2.0.0",
    ...anything,
    uses: [echo],
    rules: [
      {
        id: "all",
        when: (input, _profile, context) => {
          for (const value of values(input)) context.evaluate(echo, value);
          return true;
        },
        emit: () => "done",
      },
    ],
  });

const lists = echoing((input) => (Array.isArray(input) ? input : []));

/** Evaluates `lists` for each entry of a list of lists. */
const listsOfLists = defineDecision({
  id: "lists-of-lists",
  version: "3.0.0",
  ...anything,
  uses: [lists],
  rules: [
    {
      id: "all",
      when: (input, _profile, context) => {
        for (const value of Array.isArray(input) ? input : []) context.evaluate(lists, value);
        return true;
      },
      emit: () => "done",
    },
  ],
});

it("writes the envelope, and the tree of what was used, in order and each input once", async () => {
  const reply = await trace(listsOfLists, [[1, 2, 1], [], [1, 3]]);
  const envelope = (decision: Decision, input: unknown) =>
    evaluate(decision, input, undefined, { now: new Date(clock.now()) });
  const of = (input: unknown) => ({
    decisionId: "echo",
    version: "1.0.0",
    input,
    envelope: envelope(echo, input),
    used: [],
  });
  const list = (input: readonly unknown[], used: readonly unknown[]) => ({
    decisionId: "echoing",
    version: "2.0.0",
    input,
    envelope: envelope(lists, input),
    used,
  });
  expect(reply.status).toBe(200);
  expect(JSON.parse(reply.body)).toEqual({
    envelope: envelope(listsOfLists, [[1, 2, 1], [], [1, 3]]),
    used: [list([1, 2, 1], [of(1), of(2)]), list([], []), list([1, 3], [of(3)])],
  });
});

it("has an empty list where nothing was used", async () => {
  expect(JSON.parse((await trace(echo, { a: 1 })).body)).toMatchObject({
    envelope: { status: "OK", data: [{ a: 1 }] },
    used: [],
  });
});

it("succeeds where a rule passed on, or got, something that JSON cannot carry", async () => {
  const circular: unknown[] = [];
  circular.push(circular);
  const hostile = {
    toJSON(): never {
      throw new Error("no JSON");
    },
  };
  const values = [circular, hostile, 1n, undefined, () => {}, Symbol("s")];
  const reply = await trace(
    echoing(() => values),
    null,
  );
  expect(reply.status).toBe(200);
  const { used } = JSON.parse(reply.body);
  expect(used).toHaveLength(values.length);
  for (const one of used) {
    expect(one).toMatchObject({
      decisionId: "echo",
      input: null,
      envelope: { meta: { decisionId: "echo" } },
    });
  }
});

it("ends a trace that is too long, however much a decision passes on", async () => {
  const large = "x".repeat(200_000);
  const many = echoing(() => Array.from({ length: 30 }, (_, index) => ({ large, index })));
  const reply = await trace(many, null);
  const { used, truncated, envelope } = JSON.parse(reply.body);
  expect(envelope).toMatchObject({ status: "OK", data: "done" });
  expect(truncated).toBe(true);
  expect(used.length).toBeGreaterThan(0);
  // All of it would be 30 inputs and 30 results.
  expect(reply.body.length).toBeLessThan(10 * large.length);
  expect(JSON.parse((await trace(lists, [1, 2, 3])).body)).not.toHaveProperty("truncated");
});

describe("the parts of a program of logic", () => {
  const decisionWith = (parts: () => Readonly<Record<string, unknown>>) => {
    const hits = [{ ruleId: "only", explanation: "always" }];
    return defineDecision({
      id: "parted",
      version: "1.0.0",
      ...anything,
      logic: {
        content: { hash: `sha256:${"0".repeat(64)}`, mediaType: "application/json", document: {} },
        rules: [{ id: "only" }],
        bind: () => ({
          thresholds: [],
          hits: () => hits,
          decide: () => ({ emitted: "done", hits, explanation: "always", parts }),
        }),
      },
    });
  };

  it("are in the trace", async () => {
    const reply = await trace(
      decisionWith(() => ({ half: 0.5 })),
      {},
    );
    expect(JSON.parse(reply.body)).toMatchObject({
      envelope: { data: "done" },
      used: [],
      parts: { half: 0.5 },
    });
  });

  it("are left out if they are too long", async () => {
    const reply = await trace(
      decisionWith(() => ({ long: "x".repeat(1_000_001) })),
      {},
    );
    expect(JSON.parse(reply.body)).toMatchObject({ envelope: { data: "done" }, truncated: true });
    expect(reply.body).not.toContain("xx");
  });

  it("fail no call, whatever they throw", async () => {
    const reply = await trace(
      decisionWith(() => {
        throw new Error("secret");
      }),
      {},
    );
    expect(JSON.parse(reply.body)).toMatchObject({ envelope: { data: "done" }, parts: null });
  });
});
