import type { SourceHost, SourceWatch } from "@decern/core";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { recordingWatcher } from "../../../test/support/recording-watcher.js";
import { type LoadContext, type LoadSet, type ProfileSet, watchProfiles } from "../src/index.js";

const watches: SourceWatch[] = [];

afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.stop()));
  vi.useRealTimers();
});

function watchLoad(load: LoadSet<ProfileSet>, host: SourceHost, timeoutMs = 300_000): SourceWatch {
  const watch = watchProfiles({ load, everyMs: 100, timeoutMs }).watch(host);
  watches.push(watch);
  return watch;
}

/** What a loader without types may return. */
function untyped(value: unknown): ProfileSet {
  const box: { value: ProfileSet } = JSON.parse("{}");
  Reflect.set(box, "value", value);
  return box.value;
}

/** One load: a set that is right or wrong, a fault, or "unchanged". */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ good: fc.nat(2), tagged: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ bad: fc.nat(1), tagged: fc.boolean() }) },
  fc.constantFrom("throws", "rejects", "wrong kind", "unchanged"),
);

describe("a sequence of loads", () => {
  it("is accepted as the good sets that differ from the one in use, in order, and its last report is true", async () => {
    vi.useFakeTimers();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const host = recordingWatcher();
        let calls = 0;
        const load = ({ etag }: LoadContext): ReturnType<LoadSet<ProfileSet>> => {
          const next = steps[calls];
          calls += 1;
          if (next === undefined || next === "unchanged") return undefined;
          if (next === "throws") throw new Error("thrown");
          if (next === "rejects") return Promise.reject(new Error("rejected"));
          if (next === "wrong kind") return untyped({ profiles: [], revision: 1 });
          const revision = "good" in next ? `good ${next.good}` : `bad ${next.bad}`;
          // A tag that came back for a set that is not in use would be a fault of the watch.
          expect(etag ?? host.accepted.at(-1)?.revision).toBe(host.accepted.at(-1)?.revision);
          const profiles = { loan: "good" in next ? { value: next.good } : { wrong: next.bad } };
          return { profiles, revision, ...(next.tagged ? { etag: revision } : {}) };
        };
        const watch = watchLoad(load, host);

        const expected: string[] = [];
        let hasTag = false;
        for (const [index, each] of steps.entries()) {
          if (index > 0) await vi.advanceTimersByTimeAsync(100);
          else await vi.advanceTimersByTimeAsync(0);
          expect(calls).toBe(index + 1);
          let isRight = each === "unchanged" && hasTag;
          if (typeof each === "object" && "good" in each) {
            isRight = true;
            hasTag = each.tagged;
            const revision = `good ${each.good}`;
            if (expected.at(-1) !== revision) expected.push(revision);
          }
          expect(host.accepted.map(({ revision }) => revision)).toEqual(expected);
          expect(host.loads.at(-1)?.outcome).toBe(isRight ? "loaded" : "failed");
          expect(watch.isReady).toBe(expected.length > 0);
        }
        await watch.stop();
      }),
    );
  });
});

describe("a set that is refused", () => {
  it("is reported and validated once while it stays the same, and again when it comes back", async () => {
    vi.useFakeTimers();
    const host = recordingWatcher();
    let profiles: ProfileSet["profiles"] = { loan: { wrong: 1 } };
    watchLoad(() => ({ profiles }), host);
    await vi.advanceTimersByTimeAsync(1000);
    expect(host.refused).toHaveLength(1);
    expect(host.outcomes()).toEqual(["failed"]);
    profiles = {};
    await vi.advanceTimersByTimeAsync(1000);
    profiles = { loan: { wrong: 1 } };
    await vi.advanceTimersByTimeAsync(1000);
    expect(host.refused).toHaveLength(2);
    expect(host.outcomes()).toEqual(["failed", "loaded", "failed"]);
  });

  it("never passes on its tag", async () => {
    vi.useFakeTimers();
    const etags: (string | undefined)[] = [];
    const sets: ProfileSet[] = [
      { profiles: {}, etag: "1" },
      { profiles: { loan: { wrong: 1 } }, etag: "2" },
      { profiles: {}, etag: "3" },
    ];
    watchLoad(({ etag }) => {
      etags.push(etag);
      return sets.shift();
    }, recordingWatcher());
    await vi.advanceTimersByTimeAsync(300);
    expect(etags).toEqual([undefined, "1", "1", "3"]);
  });
});

describe("a loader", () => {
  it("keeps its own copy of what it returned", async () => {
    const host = recordingWatcher();
    const profiles = { loan: { minScore: 1 } };
    await watchLoad(() => ({ profiles }), host).first;
    profiles.loan.minScore = 2;
    expect(host.accepted).toEqual([{ profiles: { loan: { minScore: 1 } }, revision: undefined }]);
  });

  it("is told what it threw, unchanged", async () => {
    const thrown = new Error("no such table");
    const host = recordingWatcher();
    const watch = watchLoad(() => Promise.reject(thrown), host);
    await expect(watch.first).rejects.toBe(thrown);
    expect(host.loads).toEqual([{ outcome: "failed", error: thrown }]);
  });

  it.each([
    ["nothing", undefined, "returned undefined, which means unchanged, without an etag"],
    ["no object", 1, "options must be an object"],
    ["a plain map", { loan: {} }, "/loan: is unknown; valid names are profiles, revision, activateAt, etag"],
    ["wrong kinds", { profiles: {}, revision: 1 }, "/revision: must be a string"],
    [
      "a day that does not exist",
      { profiles: {}, activateAt: "2027-02-30T00:00:00Z" },
      "/activateAt: must be an instant with its time zone",
    ],
    ["what JSON has not", { profiles: { loan: { at: 1n } } }, "/profiles/loan/at: must be JSON"],
    ["what JSON would change", { profiles: { loan: new Date(0) } }, "/profiles/loan: must be JSON"],
    ["a forbidden key", { profiles: JSON.parse('{"__proto__":{}}') }, "a forbidden key"],
  ])("is refused for returning %s", async (_what, returned, message) => {
    await expect(watchLoad(() => untyped(returned), recordingWatcher()).first).rejects.toMatchObject({
      code: "PROFILES_NOT_LOADED",
      message: expect.stringContaining(message),
    });
  });

  it("runs once at a time, also after it was given up", async () => {
    let running = 0;
    let most = 0;
    const ends: ((set: ProfileSet) => void)[] = [];
    const host = recordingWatcher();
    const load = async (): Promise<ProfileSet> => {
      running += 1;
      most = Math.max(most, running);
      const set = await new Promise<ProfileSet>((resolve) => ends.push(resolve));
      running -= 1;
      return set;
    };
    watchLoad(load, host, 1);
    await expect.poll(() => host.errors().length).toBeGreaterThan(2);
    expect(host.errors()[0]).toContain("load took longer than 1 ms");
    expect(host.errors()[1]).toContain("load is still busy with a load that was given up");
    expect(ends).toHaveLength(1);
    ends[0]?.({ profiles: { late: {} } });
    await expect.poll(() => ends.length).toBe(2);
    expect(host.accepted).toEqual([]);
    expect(most).toBe(1);
  });

  it("delays the next load while it takes long", async () => {
    vi.useFakeTimers();
    const ends: ((set: ProfileSet) => void)[] = [];
    watchLoad(() => new Promise((resolve) => ends.push(resolve)), recordingWatcher());
    await vi.advanceTimersByTimeAsync(1000);
    expect(ends).toHaveLength(1);
    ends[0]?.({ profiles: {} });
    await vi.advanceTimersByTimeAsync(99);
    expect(ends).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toHaveLength(2);
  });

  it("is told by its signal when it takes too long", async () => {
    const reasons: unknown[] = [];
    const load: LoadSet<ProfileSet> = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      });
    const host = recordingWatcher();
    watchLoad(load, host, 1);
    await expect.poll(() => reasons.length).toBeGreaterThan(1);
    expect(host.errors().every((error) => error.includes("took longer than 1 ms"))).toBe(true);
  });
});

describe("stop", () => {
  it("aborts a running load, rejects `first`, tells the host nothing and may be called again", async () => {
    const host = recordingWatcher();
    const signals: AbortSignal[] = [];
    const load: LoadSet<ProfileSet> = ({ signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const watch = watchLoad(load, host);
    await Promise.all([watch.stop(), watch.stop()]);
    await watch.stop();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await expect(watch.first).rejects.toMatchObject({
      message: expect.stringContaining("no longer watched"),
    });
    expect(host.loads).toEqual([]);
  });

  it("starts no other load", async () => {
    vi.useFakeTimers();
    let calls = 0;
    const load = (): ProfileSet => {
      calls += 1;
      return { profiles: {} };
    };
    const watch = watchLoad(load, recordingWatcher());
    await vi.advanceTimersByTimeAsync(100);
    expect(calls).toBe(2);
    await watch.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["accept", "onLoad"] as const)("may be called by %s", async (method) => {
    vi.useFakeTimers();
    const host = recordingWatcher();
    const stopping: SourceHost = {
      ...host,
      [method]: () => void watch.stop(),
    };
    const watch = watchLoad(() => ({ profiles: {} }), stopping);
    await vi.advanceTimersByTimeAsync(1000);
    expect(host.loads).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a watch", () => {
  it("goes on when the host throws, and lets no rejection escape", async () => {
    vi.useFakeTimers();
    let calls = 0;
    const escaped: unknown[] = [];
    const listener = (reason: unknown): void => void escaped.push(reason);
    process.on("unhandledRejection", listener);
    const host = {
      accept: () => {
        throw new Error("accept");
      },
      onLoad: async () => {
        calls += 1;
        throw new Error("onLoad");
      },
    };
    watchLoad(() => ({ profiles: { calls } }), host);
    await vi.advanceTimersByTimeAsync(300);
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", listener);
    expect(calls).toBe(4);
    expect(escaped).toEqual([]);
  });

  it("keeps no process alive while it loads", () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    // Nothing else can start a timer before the next line.
    watchLoad(() => new Promise(() => {}), recordingWatcher());
    expect(timers()).toBe(before);
  });
});
