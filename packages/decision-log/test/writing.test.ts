import { createEvaluator, DecernError } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { nested } from "../../../test/support/odd-calls.js";
import { decisionLog } from "../src/index.js";
import { echo } from "./support/decisions.js";
import { chainErrors } from "./support/judge-records.js";
import { MemoryStore } from "./support/memory-store.js";
import { quietLogger } from "./support/recording-logger.js";
import { setUp } from "./support/set-up.js";

/** What was recorded, in order. */
function inputsOf(store: MemoryStore): readonly unknown[] {
  return store.records.map(({ payload }) => payload?.input);
}

/** Evaluates as lists and streams do: while there is room for many. */
function setUpMany(options: Parameters<typeof setUp>[0]) {
  const set = setUp(options);
  const { log, evaluator } = set;
  const recorder = log.attach({ logger: quietLogger(), observers: [] });
  const fill = async (): Promise<number> => {
    let taken = 0;
    for (; recorder.hasRoomForMany; taken += 1) await evaluator.evaluate(echo, { input: taken });
    return taken;
  };
  return { ...set, recorder, fill };
}

const failure = fc.constantFrom("nothing" as const, "some" as const, "all" as const);

describe("writing", () => {
  it.each([false, true])(
    "keeps every record once and in order, wherever a write fails (new chain at each opening: %s)",
    async (beginsAnew) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(failure, { minLength: 1, maxLength: 3 }),
          fc.integer({ min: 1, max: 7 }),
          async (failures, count) => {
            const { store, log, evaluator, counts } = setUp({ onFull: "drop" });
            store.beginsAnew = beginsAnew;
            store.failures.push(...failures);
            const inputs = Array.from({ length: count }, (_item, index) => index);
            for (const input of inputs) await evaluator.evaluate(echo, { input });
            await log.flush();
            for (const input of inputs) await evaluator.evaluate(echo, { input });
            await log.flush();
            expect(inputsOf(store)).toEqual([...inputs, ...inputs]);
            if (!beginsAnew) expect(chainErrors(store.lines)).toEqual([]);
            expect(await log.verify()).toMatchObject({ ok: true, records: 2 * count });
            expect(counts).toEqual({ written: 2 * count, lost: 0, refused: 0 });
            await log.close();
          },
        ),
        { numRuns: 12 },
      );
    },
  );

  it("keeps payloads as they were when it chains records anew, however deep", async () => {
    const { store, log, evaluator } = setUp();
    store.beginsAnew = true;
    const requestId = '\u0000payload\u0000,"payload":null';
    const call = (input: unknown) => evaluator.evaluate(echo, { input, requestId });
    await call("first");
    await log.flush();
    store.failures.push("nothing");
    const deep = [nested(499), nested(500), { payload: null, payloadHash: "" }];
    for (const input of deep) await call(input);
    await log.flush();
    expect(inputsOf(store)).toEqual(["first", ...deep]);
    expect(chainErrors(store.lines.slice(1))).toEqual([]);
    expect(await log.verify()).toMatchObject({ ok: true, records: 4 });
    await log.close();
  });

  it("writes a batch again that hangs", async () => {
    const { store, log, logger, evaluator } = setUp({ writeTimeoutMs: 20 });
    store.failures.push("hang");
    await evaluator.evaluate(echo, { input: 1 });
    await log.flush();
    expect(inputsOf(store)).toEqual([1]);
    expect(logger.lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "error: The decision log cannot be written",
      "warn: The decision log has recovered",
    ]);
    await log.close();
  });

  it("refuses while the store is down, counts it, keeps what it took, and recovers by itself", async () => {
    const { store, log, logger, evaluator, counts } = setUp();
    await evaluator.evaluate(echo, { input: "first" });
    store.down = new Error("connection refused");
    const flushed = log.flush();
    await expect.poll(() => log.isAvailable).toBe(false);
    for (let index = 0; index < 3; index += 1) {
      expect(() => evaluator.evaluate(echo, { input: "refused" })).toThrow("The decision cannot be recorded");
    }
    expect(counts).toEqual({ written: 0, lost: 0, refused: 3 });
    store.down = undefined;
    await flushed;
    await expect.poll(() => log.isAvailable).toBe(true);
    await evaluator.evaluate(echo, { input: "second" });
    await log.flush();
    expect(inputsOf(store)).toEqual(["first", "second"]);
    expect(counts).toEqual({ written: 2, lost: 0, refused: 3 });
    expect(logger.lines.map(({ level, message, details }) => [level, message, details["refused"]])).toEqual([
      ["error", "The decision log cannot be written", undefined],
      ["warn", "The decision log has recovered", 3],
    ]);
    await log.close();
  });

  it("refuses while the buffer is full, and says so once", async () => {
    const { store, log, logger, evaluator, counts } = setUp({ maxPendingBytes: 3000 });
    let open = (): void => {};
    store.gate = new Promise((resolve) => {
      open = resolve;
    });
    let taken = 0;
    for (; log.isAvailable; taken += 1) await evaluator.evaluate(echo, { input: taken });
    expect(taken).toBeGreaterThan(0);
    for (let index = 0; index < 3; index += 1) {
      expect(() => evaluator.evaluate(echo, { input: "refused" })).toThrow(DecernError);
    }
    open();
    await log.flush();
    expect(log.isAvailable).toBe(true);
    expect(counts).toEqual({ written: taken, lost: 0, refused: 3 });
    const message = "Calls were refused: the decision log is full or closed";
    expect(logger.lines).toEqual([{ level: "warn", details: { refused: 1 }, message }]);
    await log.close();
    expect(logger.lines).toContainEqual({ level: "warn", details: { refused: 2 }, message });
  });

  describe("many evaluations", () => {
    it.each(["refuse", "drop"] as const)(
      "stop at half of the room, which is left to single ones (onFull: %s)",
      async (onFull) => {
        const { store, log, evaluator, recorder, counts, fill } = setUpMany({
          onFull,
          maxPendingBytes: 100_000,
        });
        let open = (): void => {};
        store.gate = new Promise((resolve) => {
          open = resolve;
        });
        const many = await fill();
        let singles = 0;
        for (; singles < many - 2; singles += 1) {
          expect(log.isAvailable).toBe(true);
          await evaluator.evaluate(echo, { input: "single" });
        }
        expect(many).toBeGreaterThan(20);
        expect(recorder.hasRoomForMany).toBe(false);
        open();
        await log.flush();
        expect(recorder.hasRoomForMany).toBe(true);
        expect(counts).toEqual({ written: many + singles, lost: 0, refused: 0 });
        await log.close();
      },
    );

    it("are written as soon as they fill half of the room, however long records may wait for others", async () => {
      const { store, log, recorder, fill } = setUpMany({
        maxPendingBytes: 20_000,
        intervalMs: 2_000_000_000,
      });
      const taken = await fill();
      await expect.poll(() => store.records.length).toBe(taken);
      expect(recorder.hasRoomForMany).toBe(true);
      await log.close();
    });

    it("wait for a store that is down as long as for a write, then each has its own outcome", async () => {
      let nowMs = 0;
      const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
      onTestFinished(() => clock.mockRestore());
      const { store, log, evaluator, recorder } = setUpMany({ writeTimeoutMs: 3000 });
      store.down = new Error("down");
      await evaluator.evaluate(echo, { input: 1 });
      const flushed = log.flush();
      await expect.poll(() => log.isAvailable).toBe(false);
      expect(recorder.hasRoomForMany).toBe(false);
      nowMs = 2999;
      expect(recorder.hasRoomForMany).toBe(false);
      nowMs = 3000;
      expect(recorder.hasRoomForMany).toBe(true);
      expect(() => evaluator.evaluate(echo, { input: 2 })).toThrow("The decision cannot be recorded");
      store.down = undefined;
      await flushed;
      expect(inputsOf(store)).toEqual([1]);
      await log.close();
    });

    it("do not wait for a log that is closed", async () => {
      const { store, log, evaluator, recorder, fill } = setUpMany({
        maxPendingBytes: 20_000,
        writeTimeoutMs: 20,
      });
      store.failures.push("hang", "hang");
      await fill();
      expect(recorder.hasRoomForMany).toBe(false);
      const closed = log.close();
      expect(recorder.hasRoomForMany).toBe(true);
      expect(() => evaluator.evaluate(echo, { input: 1 })).toThrow("The decision cannot be recorded");
      await closed;
    });
  });

  it("drops what has no room, counts exactly what is missing, and says so", async () => {
    const { store, log, logger, evaluator, counts } = setUp({ onFull: "drop", maxPendingBytes: 20_000 });
    store.down = new Error("no space left on device");
    const total = 200;
    for (let input = 0; input < total; input += 1)
      expect(await evaluator.evaluate(echo, { input })).toMatchObject({ status: "OK" });
    expect(counts.lost).toBeGreaterThan(100);
    expect(counts).toEqual({ written: 0, lost: counts.lost, refused: 0 });
    const flushed = log.flush();
    store.down = undefined;
    await flushed;
    expect(counts.written + counts.lost).toBe(total);
    expect(inputsOf(store)).toEqual(Array.from({ length: counts.written }, (_item, index) => index));
    await log.close();
    const warnings = logger.lines.filter(({ message }) => message === "Replies were sent without a record");
    expect(warnings.length).toBeLessThan(10);
    expect(warnings.at(-1)?.details).toEqual({ lost: counts.lost });
    expect(chainErrors(store.lines)).toEqual([]);
  });

  it("holds replies back until their records are written, many with one write", async () => {
    const { store, log, evaluator } = setUp({ durable: "reply" });
    const events: string[] = [];
    let open = (): void => {};
    store.gate = new Promise((resolve) => {
      open = resolve;
    });
    const replies = Array.from({ length: 50 }, async (_item, input) => {
      const result = await evaluator.evaluate(echo, { input });
      events.push("reply");
      return result;
    });
    await expect.poll(() => store.batches.length).toBe(1);
    // These gather while the first batch is being written.
    const later = Array.from({ length: 50 }, (_item, input) => evaluator.evaluate(echo, { input }));
    expect(events).toEqual([]);
    open();
    await Promise.all([...replies, ...later]);
    expect(store.batches.map(({ records }) => records.length)).toEqual([50, 50]);
    await log.close();
  });

  it("lets no reply leave whose record cannot be written, and writes that record later", async () => {
    const { store, log, evaluator } = setUp({ durable: "reply" });
    store.failures.push("nothing");
    await expect(evaluator.evaluate(echo, { input: 1 })).rejects.toThrow("The decision cannot be recorded");
    await log.flush();
    expect(inputsOf(store)).toEqual([1]);
    await expect.poll(() => log.isAvailable).toBe(true);
    await evaluator.evaluate(echo, { input: 2 });
    expect(inputsOf(store)).toEqual([1, 2]);
    await log.close();
  });

  it("lets replies leave where records may be dropped", async () => {
    const { store, log, evaluator } = setUp({ durable: "reply", onFull: "drop" });
    store.down = new Error("down");
    expect(await evaluator.evaluate(echo, { input: 1 })).toMatchObject({ status: "OK" });
    store.down = undefined;
    await log.flush();
    expect(inputsOf(store)).toEqual([1]);
    await log.close();
  });

  it("writes what waits when it is closed, tells its head, and refuses afterwards", async () => {
    const { store, log, logger, evaluator } = setUp({ intervalMs: 2_000_000_000 });
    await evaluator.evaluate(echo, { input: 1 });
    await Promise.all([log.close(), log.close()]);
    expect(inputsOf(store)).toEqual([1]);
    expect(store.closed).toBe(1);
    expect(log.isAvailable).toBe(false);
    expect(() => evaluator.evaluate(echo, { input: 2 })).toThrow(DecernError);
    expect(logger.lines).toEqual([
      {
        level: "info",
        message: "Head of the decision log",
        details: { head: store.records[0]?.hash, records: 1 },
      },
      {
        level: "warn",
        message: "Calls were refused: the decision log is full or closed",
        details: { refused: 1 },
      },
    ]);
  });

  it("counts as lost what it cannot write when it is closed", async () => {
    const { store, log, logger, evaluator, counts } = setUp();
    store.down = new Error("down");
    await evaluator.evaluate(echo, { input: 1 });
    await log.close();
    expect(counts).toEqual({ written: 0, lost: 1, refused: 0 });
    expect(logger.lines.map(({ message }) => message)).toContain("Replies were sent without a record");
  });

  it("tells each host of its own records only", async () => {
    const store = new MemoryStore();
    const log = decisionLog({ store, logger: quietLogger() });
    const host = () => {
      const told: string[] = [];
      const observer = {
        onEvaluated: () => {},
        onRecorded: ({ outcome, count }: { readonly outcome: string; readonly count: number }) => {
          told.push(`${outcome} ${count}`);
          throw new Error("an observer that fails");
        },
      };
      const logger = quietLogger();
      return { told, logger, evaluator: createEvaluator({ log, logger, observers: [observer] }) };
    };
    const one = host();
    const other = host();
    await one.evaluator.evaluate(echo, { input: 1 });
    await other.evaluator.evaluate(echo, { input: 2 });
    await one.evaluator.evaluate(echo, { input: 3 });
    await log.flush();
    expect({ oneTold: one.told, otherTold: other.told }).toEqual({
      oneTold: ["written 2"],
      otherTold: ["written 1"],
    });
    expect(one.logger.lines.map(({ message }) => message)).toEqual(["An observer failed"]);
    expect(store.opened).toBe(1);
    expect(inputsOf(store)).toEqual([1, 2, 3]);
    await log.close();
  });

  it("logs the head of the chain from time to time, once while it stays the same", async () => {
    const { store, log, logger, evaluator } = setUp({ headEveryMs: 1 });
    await evaluator.evaluate(echo, { input: 1 });
    await log.flush();
    const heads = () => logger.lines.filter(({ level }) => level === "info").map(({ details }) => details);
    await expect.poll(heads).toEqual([{ head: store.records[0]?.hash, records: 1 }]);
    await evaluator.evaluate(echo, { input: 2 });
    await log.flush();
    await expect.poll(heads).toHaveLength(2);
    await log.close();
    expect(heads()).toHaveLength(2);
  });
});
