import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { recordingWatcher } from "../../../../test/support/recording-watcher.js";
import { type ProfileSet, watchProfiles } from "../../../../test/support/watch.js";
import { createService } from "../../src/host.js";
import type { EvaluationObserver, SourceLoad, SourceWatch } from "../../src/index.js";
import { decisions } from "../fixtures.js";

const noon = Date.parse("2027-01-01T12:00:00Z");
const minutes = 60_000;
const at = (epochMs: number): string => new Date(epochMs).toISOString();

const watches: SourceWatch[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: noon });
});
afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.stop()));
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A watched set that a test replaces. */
function published(first: ProfileSet) {
  let set: ProfileSet | Error = first;
  const load = (): ProfileSet => {
    if (set instanceof Error) throw set;
    return set;
  };
  return {
    source: watchProfiles({ load, everyMs: minutes }),
    publish: async (next: ProfileSet | Error) => {
      set = next;
      await vi.advanceTimersByTimeAsync(minutes);
    },
  };
}

const old: ProfileSet = { revision: "old", profiles: {} };

describe("a set with activateAt", () => {
  it("is reported as scheduled when it is loaded, and as loaded at its instant", async () => {
    const host = recordingWatcher();
    const { source, publish } = published(old);
    const watch = source.watch(host);
    watches.push(watch);
    await watch.first;
    await publish({ revision: "new", profiles: {}, activateAt: at(noon + 90 * minutes) });
    const scheduled: SourceLoad = {
      outcome: "scheduled",
      revision: "new",
      activateAtMs: noon + 90 * minutes,
    };
    expect(host.loads).toEqual([{ outcome: "loaded", revision: "old" }, scheduled]);
    await vi.advanceTimersByTimeAsync(89 * minutes - 1);
    expect(host.loads).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(host.loads.at(-1)).toEqual({ outcome: "loaded", revision: "new" });
    expect(host.accepted.map(({ revision }) => revision)).toEqual(["old", "new"]);
  });

  it("is in use at once when its instant has passed, also by another time zone", async () => {
    const host = recordingWatcher();
    const { source } = published({ ...old, activateAt: "2027-01-01T13:00:00+01:00" });
    const watch = source.watch(host);
    watches.push(watch);
    await watch.first;
    expect(host.outcomes()).toEqual(["loaded"]);
  });

  it("is the only one of a process that starts before: it is not ready until then", async () => {
    const host = recordingWatcher();
    const { source } = published({ ...old, activateAt: at(noon + 10 * minutes) });
    const watch = source.watch(host);
    watches.push(watch);
    await vi.advanceTimersByTimeAsync(10 * minutes - 1);
    expect({ outcomes: host.outcomes(), isReady: watch.isReady }).toEqual({
      outcomes: ["scheduled"],
      isReady: false,
    });
    await vi.advanceTimersByTimeAsync(1);
    await watch.first;
    expect({ outcomes: host.outcomes(), isReady: watch.isReady }).toEqual({
      outcomes: ["scheduled", "loaded"],
      isReady: true,
    });
  });

  it("is replaced by a set that comes before its instant, and withdrawn by the old one", async () => {
    const host = recordingWatcher();
    const { source, publish } = published(old);
    watches.push(source.watch(host));
    await publish({ revision: "new", profiles: {}, activateAt: at(noon + 90 * minutes) });
    await publish({ revision: "newer", profiles: {}, activateAt: at(noon + 95 * minutes) });
    await publish(old);
    await vi.advanceTimersByTimeAsync(200 * minutes);
    expect(host.loads.map(({ outcome }) => outcome)).toEqual(["loaded", "scheduled", "scheduled", "loaded"]);
    expect(host.loads.at(-1)).toEqual({ outcome: "loaded", revision: "old" });
  });

  it("stays scheduled while its source fails, and is reported again when that is back", async () => {
    const host = recordingWatcher();
    const { source, publish } = published(old);
    watches.push(source.watch(host));
    const next = { revision: "new", profiles: {}, activateAt: at(noon + 9 * minutes) };
    await publish(next);
    await publish(new Error("down"));
    await publish(next);
    expect(host.outcomes()).toEqual(["loaded", "scheduled", "failed", "scheduled"]);
    await publish(new Error("down"));
    await vi.advanceTimersByTimeAsync(5 * minutes);
    expect(host.loads.filter(({ outcome }) => outcome === "loaded")).toHaveLength(2);
  });

  it("may be years away", async () => {
    const host = recordingWatcher();
    const years = 10 * 365 * 24 * 60 * minutes;
    const { source } = published({ ...old, activateAt: at(noon + years) });
    const watch = source.watch(host);
    watches.push(watch);
    // Past the longest time that a timer can wait.
    vi.setSystemTime(noon + 2 ** 31);
    await vi.advanceTimersByTimeAsync(2 * minutes);
    expect(host.outcomes()).toEqual(["scheduled"]);
  });

  it("is reported within a minute of the instant when the clock is set on, or the machine slept", async () => {
    const host = recordingWatcher();
    const { source } = published({ ...old, activateAt: at(noon + 600 * minutes) });
    const watch = source.watch(host);
    watches.push(watch);
    await vi.advanceTimersByTimeAsync(0);
    vi.setSystemTime(noon + 601 * minutes);
    await vi.advanceTimersByTimeAsync(minutes);
    expect({ outcomes: host.outcomes(), isReady: watch.isReady }).toEqual({
      outcomes: ["scheduled", "loaded"],
      isReady: true,
    });
  });

  it("waits for its instant when the clock is set back before it, and stays in use when it is set back after", async () => {
    const host = recordingWatcher();
    const { source, publish } = published(old);
    watches.push(source.watch(host));
    const next = { revision: "new", profiles: {}, activateAt: at(noon + 3 * minutes) };
    await publish(next);
    vi.setSystemTime(noon);
    await vi.advanceTimersByTimeAsync(3 * minutes - 1);
    expect(host.outcomes()).toEqual(["loaded", "scheduled"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(host.outcomes()).toEqual(["loaded", "scheduled", "loaded"]);
    vi.setSystemTime(noon);
    await publish(new Error("down"));
    await publish(next);
    expect(host.outcomes().slice(3)).toEqual(["failed", "loaded"]);
  });

  it("is another one when it has the same revision and other content", async () => {
    const host = recordingWatcher();
    const { source, publish } = published(old);
    watches.push(source.watch(host));
    const activateAt = at(noon + 9 * minutes);
    await publish({ revision: "new", profiles: { loan: 1 }, activateAt });
    await publish({ revision: "new", profiles: { loan: 2 }, activateAt });
    await vi.advanceTimersByTimeAsync(9 * minutes);
    expect(host.outcomes()).toEqual(["loaded", "scheduled", "scheduled", "loaded"]);
    expect(host.accepted.at(-1)?.profiles).toEqual({ loan: 2 });
  });
});

describe("a host", () => {
  const loaded: SourceLoad[] = [];
  const observer: EvaluationObserver = {
    onEvaluated: () => {},
    onProfilesLoaded: (load) => void loaded.push(load),
  };

  it("changes at the instant, also when nothing has run since: not by a timer", async () => {
    const profile = (minScore: number) => ({ loan: { minScore } });
    const { source, publish } = published({ revision: "old", profiles: profile(1) });
    const { catalogue } = createService("host", { decisions, profiles: source, observers: [observer] });
    await vi.advanceTimersByTimeAsync(0);
    await publish({ revision: "new", profiles: profile(2), activateAt: at(noon + 10 * minutes) });
    const before = catalogue.current.profiles;
    expect(before?.profileRevision).toBe("old");
    // The clock goes on while every timer is late.
    vi.setSystemTime(noon + 10 * minutes - 1);
    expect(catalogue.current.profiles).toBe(before);
    vi.setSystemTime(noon + 10 * minutes);
    expect(catalogue.current.revisions.profiles?.revision).toBe("new");
    expect(loaded.map(({ outcome }) => outcome)).toEqual(["loaded", "scheduled"]);
    await catalogue.loads.stop();
  });

  it("keeps the new set when the clock is set back after the instant", async () => {
    const { source, publish } = published({ revision: "old", profiles: { loan: { minScore: 1 } } });
    const { catalogue } = createService("host", { decisions, profiles: source });
    await vi.advanceTimersByTimeAsync(0);
    const activateAt = at(noon + 5 * minutes);
    await publish({ revision: "new", profiles: { loan: { minScore: 2 } }, activateAt });
    vi.setSystemTime(noon + 5 * minutes);
    expect(catalogue.current.revisions.profiles?.revision).toBe("new");
    vi.setSystemTime(noon);
    expect(catalogue.current.revisions.profiles?.revision).toBe("new");
    await catalogue.loads.stop();
  });

  it("uses a set at its instant although its source fails, and the old one when it was withdrawn in time", async () => {
    const set = (revision: string, minScore: number) => ({ revision, profiles: { loan: { minScore } } });
    const { source, publish } = published(set("old", 1));
    const { catalogue } = createService("host", { decisions, profiles: source, logger: { error() {} } });
    await vi.advanceTimersByTimeAsync(0);
    await publish({ ...set("new", 2), activateAt: at(noon + 3 * minutes) });
    await publish(new Error("down"));
    vi.setSystemTime(noon + 3 * minutes);
    expect(catalogue.current.revisions.profiles?.revision).toBe("new");
    await publish({ ...set("newer", 3), activateAt: at(noon + 9 * minutes) });
    await publish(set("new", 2));
    vi.setSystemTime(noon + 10 * minutes);
    expect(catalogue.current.revisions.profiles?.revision).toBe("new");
    await catalogue.loads.stop();
  });

  it("refuses a wrong set when it is loaded, long before its instant, and keeps what it had", async () => {
    const { source, publish } = published({ revision: "old", profiles: { loan: { minScore: 1 } } });
    const { catalogue } = createService("host", { decisions, profiles: source, logger: { error() {} } });
    await vi.advanceTimersByTimeAsync(0);
    await publish({
      revision: "good",
      profiles: { loan: { minScore: 2 } },
      activateAt: at(noon + 9 * minutes),
    });
    const wrong = { loan: { minScore: "x" } };
    await publish({ revision: "wrong", profiles: wrong, activateAt: at(noon + 8 * minutes) });
    expect(catalogue.current.revisions.profiles?.revision).toBe("old");
    await vi.advanceTimersByTimeAsync(7 * minutes);
    expect(catalogue.current.revisions.profiles?.revision).toBe("good");
    await catalogue.loads.stop();
  });
});
