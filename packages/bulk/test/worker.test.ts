import { DecernError, defineDecision, evaluate } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { feeContract } from "../../../test/support/fee-contract.js";
import { watchDecisions } from "../../../test/support/watch.js";
import { type BulkResult, type BulkSource, runWorker } from "../src/index.js";
import { ListedSource } from "./support/listed-source.js";

const sized = defineDecision({
  id: "sized",
  version: "1",
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ n: z.number(), lot: z.string() }),
  profileSchema: z.object({ most: z.number().default(10) }),
  rules: [
    {
      id: "cursed",
      when: ({ n }) => n === 13,
      emit: () => {
        throw new Error("unlucky");
      },
    },
    {
      id: "small",
      when: ({ n }, { most }) => n <= most,
      emit: ({ n }, _, { requestId }) => ({ n, lot: requestId }),
    },
  ],
});

const quiet = { error: () => {} };
const textsOf = (source: ListedSource) =>
  Object.fromEntries(source.committed.map(({ position, text }) => [position, JSON.parse(text)]));

describe("runWorker", () => {
  it("answers every input, and names the position of one that fails", async () => {
    const source = new ListedSource([
      '{"n":1}',
      '{"n":11}',
      '{"n":"x"}',
      "{n:1}",
      '{"n":13}',
      '{"__proto__":1}',
    ]);
    const summary = await runWorker({ decision: sized, source, logger: quiet });
    expect(textsOf(source)).toEqual({
      p0: { status: "OK", data: { n: 1, lot: "p0" }, matchedRule: "small" },
      p1: { status: "NO_MATCH" },
      p2: {
        position: "p2",
        status: "INVALID_INPUT",
        errors: [{ path: "/n", message: expect.any(String), keyword: expect.any(String) }],
      },
      p3: { position: "p3", error: expect.any(String), code: "INVALID_JSON" },
      p4: { position: "p4", error: expect.any(String), code: "EVALUATION_FAILED" },
      p5: { position: "p5", error: expect.any(String), code: "FORBIDDEN_KEY" },
    });
    expect(summary).toEqual({
      items: 6,
      batches: 1,
      failures: 0,
      counts: { OK: 1, NO_MATCH: 1, INVALID_INPUT: 1, INVALID_JSON: 2, ERROR: 1 },
    });
  });

  it("writes envelopes as a service does", async () => {
    const source = new ListedSource(['{"n":1}']);
    const clock = { now: () => Date.UTC(2026, 2, 1), monotonic: () => performance.now() };
    await runWorker({ decision: sized, source, emit: "envelope", clock, profiles: { sized: { most: 1 } } });
    const options = { now: new Date(clock.now()), requestId: "p0" };
    expect(source.committed.map(({ text }) => text)).toEqual([
      JSON.stringify(evaluate(sized, { n: 1 }, { most: 1 }, options)),
    ]);
  });

  it("commits each input once, however often takes and commits fail", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(40),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 3 }),
        async (count, maxItems, lanes, failures) => {
          const rest = [...failures];
          const source = new ListedSource(
            Array.from({ length: count }, (_, n) => JSON.stringify({ n })),
            { fails: () => rest.shift() ?? false },
          );
          const summary = await runWorker({
            decision: sized,
            source,
            maxItems,
            lanes,
            logger: quiet,
            idleMs: 1,
          });
          const positions = source.committed.map(({ position }) => position);
          expect(positions.toSorted()).toEqual(Array.from({ length: count }, (_, n) => `p${n}`).toSorted());
          expect(summary.items).toBe(count);
          expect(summary.failures).toBe(
            failures.slice(0, failures.length - rest.length).filter(Boolean).length,
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  it("commits what it has when it is told to stop, and takes no more", async () => {
    const stop = new AbortController();
    const source = new ListedSource(['{"n":1}', '{"n":2}', '{"n":3}'], { isEndless: true });
    const observer = { onCommitted: () => stop.abort() };
    const summary = await runWorker({
      decision: sized,
      source,
      maxItems: 2,
      lanes: 1,
      signal: stop.signal,
      observer,
    });
    expect(summary.items).toBe(2);
    expect(source.committed.map(({ position }) => position)).toEqual(["p0", "p1"]);
  });

  it("lets timers run while it evaluates a long batch", async () => {
    const slow = defineDecision({
      id: "slow",
      version: "1",
      inputSchema: z.object({ n: z.number() }),
      outputSchema: z.object({ turns: z.number() }),
      profileSchema: z.object({}),
      rules: [
        {
          id: "always",
          when: () => true,
          emit: () => {
            const endMs = performance.now() + 20;
            while (performance.now() < endMs);
            return { turns };
          },
        },
      ],
    });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const source = new ListedSource(['{"n":1}', '{"n":2}', '{"n":3}']);
    await runWorker({ decision: slow, source, lanes: 1 });
    clearInterval(timer);
    const seen = source.committed.map(({ text }) => JSON.parse(text).data.turns);
    expect(seen.at(-1)).toBeGreaterThan(0);
  });

  it("stops at once where there is nothing to take", async () => {
    const stop = new AbortController();
    const source = new ListedSource([], { isEndless: true });
    const running = runWorker({ decision: sized, source, idleMs: 600_000, signal: stop.signal });
    stop.abort();
    expect((await running).items).toBe(0);
  });

  it("refuses wrong options with every problem", async () => {
    const wrong: object = { decision: {}, source: {}, emit: "all", lanes: 0, workers: 2 };
    // @ts-expect-error The types refuse it as well.
    const refusal = await runWorker(wrong).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DecernError);
    if (!(refusal instanceof DecernError)) return;
    expect(refusal.code).toBe("INVALID_OPTIONS");
    expect(refusal.problems.map(({ path }) => path).toSorted()).toEqual(
      ["/decision", "/emit", "/lanes", "/source/take", "/workers"].toSorted(),
    );
  });
});

describe("runWorker with decisions that change", () => {
  const feeOf = (version: string, fee: number) => ({ table: "fee", version, fee });

  /** Gives two inputs at a time, and publishes a set after each commit. */
  function batches(sets: readonly unknown[], publish: (set: unknown) => void) {
    const committed: (readonly unknown[])[] = [];
    let taken = 0;
    const source: BulkSource = {
      async take() {
        if (committed.length > sets.length) return undefined;
        const items = [0, 1].map(() => ({ position: `p${taken++}`, bytes: Buffer.from("{}") }));
        const commit = async (results: readonly BulkResult[]) => {
          committed.push(results.map(({ text }) => JSON.parse(text).data.fee));
          const set = sets[committed.length - 1];
          if (set !== undefined) publish(set);
          // Loading waits for promises only.
          await new Promise((resolve) => setImmediate(resolve));
        };
        return { items, commit, release: async () => {} };
      },
    };
    return { source, committed };
  }

  it("evaluates each batch with one set, and takes nothing before the first is loaded", async () => {
    let set: unknown;
    let wake = () => {};
    const decision = watchDecisions({
      contracts: [feeContract("fee")],
      load: async () => {
        if (set === undefined) throw new Error("not there yet");
        return { decisions: [{ name: "row", document: set }] };
      },
      wake: (load) => {
        wake = load;
        return undefined;
      },
    });
    const { source, committed } = batches([feeOf("2", 20), { wrong: true }, feeOf("3", 30)], (next) => {
      set = next;
      wake();
    });
    const stop = new AbortController();
    const running = runWorker({ decision, source, lanes: 1, idleMs: 5, logger: quiet, signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(committed).toEqual([]);
    set = feeOf("1", 10);
    wake();
    await running;
    expect(committed).toEqual([
      [10, 10],
      [20, 20],
      [20, 20],
      [30, 30],
    ]);
  });

  it("takes one contract only", async () => {
    const contracts = [feeContract("fee"), feeContract("other")];
    const decision = watchDecisions({ contracts, load: () => undefined });
    const { source } = batches([], () => {});
    await expect(runWorker({ decision, source, logger: quiet })).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
      problems: [{ path: "/decision", message: expect.stringContaining("one contract") }],
    });
  });
});
