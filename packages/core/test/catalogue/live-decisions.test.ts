import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { feeContract } from "../../../../test/support/fee-contract.js";
import {
  type DecisionSet,
  type ProfileSet,
  type WatchDecisionsOptions,
  watchDecisions,
  watchProfiles,
} from "../../../../test/support/watch.js";
import { createService, createSingleService, decisionRows } from "../../src/host.js";
import { DecernError, evaluate } from "../../src/index.js";
import { recordingLogger } from "../fixtures.js";
import { version } from "./hosted.js";

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

type Own = Partial<Pick<WatchDecisionsOptions, "contracts" | "fixed" | "profiles" | "keepVersions">>;

const contracts = [feeContract("fee")];
const feeSet = (name: string, fee: number, more: Omit<DecisionSet, "decisions"> = {}): DecisionSet => ({
  decisions: [{ name: "row", document: { table: "fee", version: name, fee } }],
  revision: `d${name}`,
  ...more,
});

/** A host whose decisions and profiles a test replaces, each for itself. */
function host(options: Own = {}, more: object = {}) {
  let decisions: DecisionSet | Error = new Error("not there yet");
  let profiles: ProfileSet | Error = new Error("not there yet");
  const wakes = new Set<() => void>();
  const wake = (load: () => void): undefined => void wakes.add(load);
  const given = <T>(value: T | Error): T => {
    if (value instanceof Error) throw value;
    return value;
  };
  const times = { everyMs: 60_000, wake };
  const logger = recordingLogger();
  const service = createService("host", {
    decisions: watchDecisions({ load: () => given(decisions), contracts, ...times, ...options }),
    profiles: watchProfiles({ load: () => given(profiles), ...times }),
    logger,
    ...more,
  });
  stops.push(() => service.stop());
  const publish = async (next: { readonly decisions?: DecisionSet; readonly profiles?: ProfileSet }) => {
    decisions = next.decisions ?? decisions;
    profiles = next.profiles ?? profiles;
    for (const load of wakes) load();
    await vi.advanceTimersByTimeAsync(0);
  };
  const { catalogue } = service;
  /** The version, fee and limit that a call gets now. */
  const inUse = () => {
    const target = catalogue.current.find("fee");
    if (typeof target === "string") return target;
    const { decision } = target.served.choice;
    const { data } = evaluate(decision, {}) as { data: { fee: number } };
    return {
      version: decision.version,
      fee: data.fee,
      profile: catalogue.current.profileOf(target.served.standard.decision),
    };
  };
  return { catalogue, publish, inUse, logged: logger.lines };
}

describe("decisions and profiles from two sources", () => {
  it("are one generation, whichever changes, and none before both are there", async () => {
    const { catalogue, publish, inUse } = host();
    await vi.advanceTimersByTimeAsync(0);
    expect({ find: inUse(), ids: catalogue.current.ids, notLoaded: catalogue.current.notLoaded }).toEqual({
      find: "DECISIONS_NOT_LOADED",
      ids: ["fee"],
      notLoaded: "DECISIONS_NOT_LOADED",
    });
    await publish({ profiles: { profiles: { fee: { limit: 1 } }, revision: "p1" } });
    expect(catalogue.current.notLoaded).toBe("DECISIONS_NOT_LOADED");
    await publish({ decisions: feeSet("1", 10) });
    expect(inUse()).toEqual({ version: "1", fee: 10, profile: { limit: 1 } });
    await publish({ profiles: { profiles: { fee: { limit: 2 } }, revision: "p2" } });
    expect(inUse()).toEqual({ version: "1", fee: 10, profile: { limit: 2 } });
    const before = catalogue.current;
    await publish({ decisions: feeSet("2", 20) });
    expect(inUse()).toEqual({ version: "2", fee: 20, profile: { limit: 2 } });
    expect(before.get("fee")?.standard.decision.version).toBe("1");
    expect(catalogue.status).toMatchObject({
      decisions: { revision: "d2", source: "load" },
      profiles: { revision: "p2", source: "load" },
    });
  });

  it("switch at their instants, each generation checked when the last set arrived", async () => {
    const { catalogue, publish, inUse, logged } = host();
    await publish({ decisions: feeSet("1", 10), profiles: { profiles: { fee: { limit: 1 } } } });
    logged.length = 0;
    await publish({ decisions: feeSet("2", 20, { activateAt: at(20) }) });
    await publish({ profiles: { profiles: { fee: { limit: 5 } }, activateAt: at(10) } });
    const seen = [];
    for (const minute of [0, 9, 10, 19, 20]) {
      vi.setSystemTime(noon + minute * 60_000);
      seen.push(inUse());
    }
    expect(seen).toEqual([
      { version: "1", fee: 10, profile: { limit: 1 } },
      { version: "1", fee: 10, profile: { limit: 1 } },
      { version: "1", fee: 10, profile: { limit: 5 } },
      { version: "1", fee: 10, profile: { limit: 5 } },
      { version: "2", fee: 20, profile: { limit: 5 } },
    ]);
    expect(catalogue.status).toMatchObject({ decisions: { since: at(20) }, profiles: { since: at(10) } });
    expect(logged).toEqual([]);
  });

  it("stay as they were, with what waits, when a set fits no generation to come", async () => {
    const { catalogue, publish, inUse } = host();
    await publish({ decisions: feeSet("1", 10), profiles: { profiles: {} } });
    await publish({ decisions: feeSet("2", 20, { activateAt: at(20) }) });
    await publish({ profiles: { profiles: { fee: { limit: "x" } }, activateAt: at(10) } });
    expect(catalogue.status.profiles).toMatchObject({ failingSince: at(0) });
    expect(catalogue.status.decisions).toMatchObject({ next: { revision: "d2", activateAt: at(20) } });
    vi.setSystemTime(noon + 20 * 60_000);
    expect(inUse()).toMatchObject({ version: "2" });
  });
});

it("rejects a set with profiles where the host has profiles of its own", async () => {
  const { publish, logged, inUse } = host();
  await publish({
    profiles: { profiles: {} },
    decisions: feeSet("1", 1, { profiles: { fee: { limit: 3 } } }),
  });
  expect(inUse()).toBe("DECISIONS_NOT_LOADED");
  expect(logged.at(-1)).toMatchObject({
    message: "Decisions could not be loaded. No decisions are in use yet",
    details: {
      err: { problems: [{ path: "/profiles", message: expect.stringContaining("must not be in the set") }] },
    },
  });
});

it("serves fixed decisions and kept versions alongside those that are loaded", async () => {
  const { catalogue, publish, inUse } = host(
    { fixed: [version("7", { id: "fixed" })], keepVersions: 1 },
    { profiles: undefined },
  );
  await publish({ decisions: feeSet("1", 10) });
  await publish({ decisions: feeSet("2", 20) });
  expect(inUse()).toMatchObject({ version: "2", fee: 20 });
  const found = (id: string, name?: string) => {
    const target = catalogue.current.find(id, name);
    return typeof target === "string" ? target : (target.pinned ?? target.served.standard).decision.version;
  };
  expect([found("fee", "1"), found("fee", "2"), found("fixed"), found("fee", "0")]).toEqual([
    "1",
    "2",
    "7",
    "VERSION_NOT_FOUND",
  ]);
});

it.each([
  [
    "an id that is fixed too",
    { fixed: [version("1", { id: "fee" })] },
    {},
    '"fee" is the id of a contract too',
  ],
  ["profiles that are given twice", { profiles: {} }, {}, "is given to watchDecisions already"],
  [
    "a policy for a loaded id",
    {},
    { versions: { fee: { default: "1" } } },
    "is for a decision that watchDecisions loads: the version that it loaded is the default",
  ],
  [
    "a policy for an unknown id",
    {},
    { versions: { other: { default: "1" } } },
    "/versions/other: does not belong to any decision",
  ],
])("does not start with %s", (_what, options, more, message) => {
  expect(() => host(options, more)).toThrow(message);
});

describe("a service of one decision", () => {
  const single = (options: Own, more: object = {}) =>
    createSingleService(
      "single",
      { decision: watchDecisions({ load: () => feeSet("1", 4), contracts, ...options }), ...more },
      { rows: decisionRows },
    );

  it("evaluates what is loaded under its fixed profile, and nothing before", async () => {
    const service = single({}, { profile: { limit: 9 } });
    stops.push(() => service.stop());
    expect(service.only).toBe("DECISIONS_NOT_LOADED");
    await vi.advanceTimersByTimeAsync(0);
    const { only } = service;
    if (typeof only === "string") throw new DecernError(only);
    expect(only.generation.profileOf(only.served.standard.decision)).toEqual({ limit: 9 });
  });

  it("takes one contract, and nothing fixed", () => {
    const two = { contracts: [feeContract("fee"), feeContract("other")] };
    for (const options of [two, { fixed: [version("1", { id: "fixed" })] }])
      expect(() => single(options)).toThrow("must have one contract of one decision, and nothing fixed");
  });
});
