import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ProfileSet, watchProfiles } from "../../../../test/support/watch.js";
import { createService, Handler } from "../../src/host.js";
import type { ProfileCall } from "../../src/index.js";
import { unknownOrigin } from "../../src/service/request-view.js";
import { recordingLogger } from "../fixtures.js";
import { needing, version } from "./hosted.js";

const noon = Date.parse("2027-01-01T12:00:00Z");
const at = (minutes: number): string => new Date(noon + minutes * 60_000).toISOString();
const stops: (() => Promise<void>)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: noon });
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  vi.useRealTimers();
});

const limit = { limit: 1 };
const first = { loan: limit, rate: limit, "loan#strict": limit, "loan#spare": limit };
const decisions = [needing("1"), needing("2"), needing("1", { id: "rate" }), version("1", { id: "free" })];
const versions = { loan: { default: "1" } };

/** A host whose calls may bring profiles, with a set that a test replaces each minute. */
async function host(start: ProfileSet, options: object = {}) {
  let set = start;
  const logger = recordingLogger();
  const warnings: string[] = [];
  const loads: string[] = [];
  const service = createService(
    "host",
    {
      decisions,
      versions,
      profiles: watchProfiles({ load: () => set, everyMs: 60_000 }),
      callerProfiles: { loan: ["strict"] },
      logger: { error: logger.error, warn: (_details, message) => void warnings.push(String(message)) },
      observers: [{ onEvaluated() {}, onProfilesLoaded: ({ outcome }) => void loads.push(outcome) }],
      ...options,
    },
    { override: "replace" },
  );
  const { catalogue } = service;
  stops.push(() => catalogue.loads.stop());
  const publish = async (next: ProfileSet) => {
    set = next;
    await vi.advanceTimersByTimeAsync(60_000);
  };
  await vi.advanceTimersByTimeAsync(0);
  return { service, catalogue, publish, loads, warnings, logged: logger.lines };
}

describe("a set that lacks a profile that is in use and needed", () => {
  const { loan: _, ...withoutLoan } = first;
  it.each<[string, ProfileSet, string]>([
    ["all of them", { profiles: {} }, "/profiles/loan"],
    ["all, under a revision", { revision: "7", profiles: {} }, "/profiles/loan"],
    ["one of two", { profiles: { ...first, rate: undefined } }, "/profiles/rate"],
    ["that of all versions", { profiles: withoutLoan }, "/profiles/loan"],
    ["that of one version", { profiles: { ...withoutLoan, "loan@1": limit } }, "/profiles/loan"],
    [
      "one that callers may choose",
      { profiles: { ...first, "loan#strict": undefined } },
      "/callerProfiles/loan",
    ],
    ["one, from later on", { revision: "7", profiles: withoutLoan, activateAt: at(5) }, "/profiles/loan"],
  ])("is refused, though calls may bring profiles: %s", async (_what, set, path) => {
    const { catalogue, publish, loads, logged } = await host({ profiles: first });
    const inUse = catalogue.current.profiles;
    await publish(set);
    expect(loads).toEqual(["loaded", "failed"]);
    expect(logged).toMatchObject([
      { details: { err: { problems: expect.arrayContaining([expect.objectContaining({ path })]) } } },
    ]);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(catalogue.current.profiles).toBe(inUse);
    await publish({ profiles: { ...first, free: { limit: 3 } } });
    expect({ load: loads.at(-1), isInUse: catalogue.current.profiles === inUse }).toEqual({
      load: "loaded",
      isInUse: false,
    });
  });

  it("is refused beside a resolver and a hook, too", async () => {
    for (const options of [{ profileResolver: () => limit }, { hooks: { beforeEvaluate: () => {} } }]) {
      const { publish, loads } = await host({ profiles: first }, options);
      await publish({ profiles: {} });
      expect(loads).toEqual(["loaded", "failed"]);
    }
  });

  it("is refused while the first set waits for its instant, and once that has come", async () => {
    const { catalogue, publish, loads } = await host({ revision: "1", profiles: first, activateAt: at(3) });
    await publish({ revision: "2", profiles: {} });
    expect({ loads, profiles: catalogue.current.profiles }).toEqual({
      loads: ["scheduled", "failed"],
      profiles: undefined,
    });
    vi.setSystemTime(noon + 4 * 60_000);
    await publish({ revision: "3", profiles: {} });
    expect({ load: loads.at(-1), revision: catalogue.current.revisions.profiles?.revision }).toEqual({
      load: "failed",
      revision: "1",
    });
  });
});

describe("a set that lacks what nobody needs", () => {
  it("is taken: what the schema fills in, and names that only the host's own code uses", async () => {
    const { publish, loads, warnings } = await host({ profiles: { ...first, free: { limit: 3 } } });
    const { "loan#spare": _, ...fewer } = first;
    await publish({ profiles: fewer });
    expect({ loads, warnings }).toEqual({ loads: ["loaded", "loaded"], warnings: [] });
  });

  it("is taken with a warning where calls have brought the profile all along", async () => {
    const { loan, rate, ...rest } = first;
    const { publish, loads, warnings } = await host({ profiles: { ...rest, loan } });
    await publish({ profiles: { ...rest, loan: { limit: 2 } } });
    expect(loads).toEqual(["loaded", "loaded"]);
    expect(warnings).toEqual([
      expect.stringMatching(/^Every call without a profile will fail: \/profiles\/rate is required/),
      expect.stringMatching(/\/profiles\/rate/),
    ]);
    await publish({ profiles: { ...rest, loan, rate } });
    await publish({ profiles: { ...rest, loan } });
    expect({ load: loads.at(-1), warningCount: warnings.length }).toEqual({
      load: "failed",
      warningCount: 2,
    });
  });
});

describe("a call that takes past the instant of the next set", () => {
  /** What came of a call that begins at the third minute and has its input at the seventh. The next set holds from the fifth. */
  async function slowCall(options: object) {
    const { service, catalogue, publish } = await host({ profiles: first }, options);
    const next = { ...first, loan: { limit: 2 } };
    await publish({ profiles: next, activateAt: at(5) });
    vi.setSystemTime(noon + 3 * 60_000);
    const target = catalogue.find("loan");
    if (typeof target === "string") throw new Error(target);
    const input = async () => {
      vi.setSystemTime(noon + 7 * 60_000);
      return {};
    };
    const asking = { source: undefined, requestId: "1", origin: () => unknownOrigin, input };
    const { profile, epochMs } = await new Handler(service).run(asking, target);
    return { profile, at: new Date(epochMs).toISOString() };
  }

  const profileResolver = async ({ named }: ProfileCall) => {
    vi.setSystemTime(noon + 8 * 60_000);
    return named("strict");
  };
  it.each([
    ["its input", {}],
    ["the resolver", { profileResolver }],
  ])("has the old set, and a date at which that one held: %s takes long", async (_what, options) => {
    expect(await slowCall(options)).toEqual({ profile: limit, at: at(3) });
  });

  it("has the time of the host's own clock, if it brings one", async () => {
    const clock = { now: () => noon + 60_000, monotonic: () => 0 };
    expect(await slowCall({ clock })).toEqual({ profile: limit, at: at(1) });
  });
});
