import { afterEach, describe, expect, it, vi } from "vitest";
import { expectCostInStep } from "../../../../test/suites/growth.js";
import { watchProfiles } from "../../../../test/support/watch.js";
import { createService } from "../../src/host.js";
import { DecernError, withProfile } from "../../src/index.js";
import { feature } from "../../src/options.js";
import { createGeneration } from "../../src/tools.js";
import { needing, pathsOf, problemsOf, request, version } from "./hosted.js";

const decisions = [version("1.0.0"), version("1.1.0"), version("2.0.0")];
const versions = { loan: { default: "1.1.0" } };
const call = { input: {}, caller: "web-shop", request };

describe("versions of one id", () => {
  it("need a default: the latest is never assumed", () => {
    expect(problemsOf({ decisions })).toEqual([
      ["/versions/loan", expect.stringContaining("1.0.0, 1.1.0, 2.0.0")],
    ]);
    expect(pathsOf({ decisions, versions: { loan: {} } })).toEqual(["/versions/loan/default"]);
    expect(pathsOf({ decisions, versions })).toEqual([]);
    expect(pathsOf({ decisions: [version("1.0.0")] })).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a default that is not served", { default: "3.0.0" }, "/default"],
    ["a default that is retired", { default: "1.1.0", retired: ["1.1.0"] }, "/default"],
    ["an unknown option", { default: "1.1.0", latest: true }, "/latest"],
    ["select that is not a function", { default: "1.1.0", select: "2.0.0" }, "/select"],
    ["retired that is not a list", { default: "1.1.0", retired: "1.0.0" }, "/retired"],
    ["deprecated that is not an object", { default: "1.1.0", deprecated: ["1.0.0"] }, "/deprecated"],
    [
      "a deprecated version that is not served",
      { deprecated: { "3.0.0": { since: "2026-01-01" } } },
      "/deprecated/3.0.0",
    ],
    [
      "a deprecated version that is retired",
      { retired: ["1.0.0"], deprecated: { "1.0.0": { since: "2026-01-01" } } },
      "/deprecated/1.0.0",
    ],
    ["a deprecation without since", { deprecated: { "1.0.0": {} } }, "/deprecated/1.0.0/since"],
    ["a since that is not a date", { deprecated: { "1.0.0": { since: "soon" } } }, "/deprecated/1.0.0/since"],
    ["an invalid Date", { deprecated: { "1.0.0": { since: new Date("soon") } } }, "/deprecated/1.0.0/since"],
    [
      "a sunset that is a number",
      { deprecated: { "1.0.0": { since: "2026-01-01", sunset: 1 } } },
      "/deprecated/1.0.0/sunset",
    ],
    [
      "a sunset before since",
      { deprecated: { "1.0.0": { since: "2026-01-02", sunset: new Date("2026-01-01") } } },
      "/deprecated/1.0.0/sunset",
    ],
    [
      "a link that would end its header",
      { deprecated: { "1.0.0": { since: "2026-01-01", link: "https://a>; rel=x" } } },
      "/deprecated/1.0.0/link",
    ],
    [
      "a link with a line end",
      { deprecated: { "1.0.0": { since: "2026-01-01", link: "/a\r\nset-cookie: b" } } },
      "/deprecated/1.0.0/link",
    ],
  ])("refuse %s", (_what, policy, path) => {
    const given = { loan: { default: "1.1.0", ...policy } };
    expect(pathsOf({ decisions, versions: given })).toEqual([`/versions/loan${path}`]);
  });

  it("refuse the same version twice, and options for an id that is not served", () => {
    expect(pathsOf({ decisions: [...decisions, version("1.0.0")], versions })).toEqual(["/decisions/3"]);
    expect(pathsOf({ decisions, versions: { ...versions, lone: { default: "1" } } })).toEqual([
      "/versions/lone",
    ]);
  });

  it("are served without those that are retired, whose code may be gone", () => {
    const retired = ["0.9.0", "1.0.0"];
    const policies = { loan: { default: "1.1.0", retired } };
    const hosted = createService("host", { decisions, versions: policies }).catalogue.current.get("loan");
    expect([...(hosted?.versions.keys() ?? [])]).toEqual(["1.1.0", "2.0.0"]);
    expect([...(hosted?.retired ?? [])]).toEqual(retired);
    expect(hosted?.standard.decision).toBe(decisions[1]);
  });
});

describe("select", () => {
  afterEach(() => vi.restoreAllMocks());
  const hostedWith = (select: () => unknown) => {
    const options = { decisions, versions: { loan: { default: "1.1.0", select, retired: ["1.0.0"] } } };
    const hosted = createService("host", options).catalogue.current.get("loan");
    if (hosted === undefined) throw new Error("no such decision");
    return hosted;
  };

  it("gets the call, and chooses the version; undefined leaves it to the default", () => {
    const select = vi.fn<() => unknown>(() => "2.0.0");
    expect(hostedWith(select).select(call.input, call)?.decision.version).toBe("2.0.0");
    expect(select.mock.calls).toEqual([[call]]);
    expect(hostedWith(() => undefined).select(call.input, call)).toBeUndefined();
  });

  const boom = new Error("boom");
  it.each<[string, () => unknown, unknown]>([
    [
      "throws",
      () => {
        throw boom;
      },
      boom,
    ],
    ["returns a version that is not served", () => "3.0.0", undefined],
    ["returns a version that is retired", () => "1.0.0", undefined],
    ["returns something else than a string", () => 2, undefined],
    ["returns null", () => null, undefined],
    ["returns a promise", async () => "2.0.0", undefined],
    ["returns a promise that rejects", () => Promise.reject(boom), undefined],
    [
      "returns what only looks like a promise",
      () =>
        new Proxy(
          {},
          {
            get: () => {
              throw boom;
            },
          },
        ),
      undefined,
    ],
  ])("is the host's fault when it %s", async (_what, select, cause) => {
    const hosted = hostedWith(select);
    const thrown = caught(() => hosted.select(call.input, call));
    expect({ code: thrown.code, cause: thrown.cause }).toEqual({ code: "INTERNAL_ERROR", cause });
    // A rejection that nobody handles would end the process now.
    await new Promise((resolve) => setImmediate(resolve));
  });
});

describe("the profiles of a catalogue", () => {
  it("are those of the version where there is one, else those of the id; a name has its own", () => {
    const profiles = {
      "loan@2.0.0": { limit: 20 },
      loan: { limit: 10 },
      "loan#strict": { limit: 1 },
      "loan@1.0.0#strict": { limit: 2 },
    };
    const { profiles: set } = createGeneration(decisions, profiles, versions);
    expect(decisions.map((decision) => set?.profileOf(decision))).toEqual([
      { limit: 10 },
      { limit: 10 },
      { limit: 20 },
    ]);
    const strict = decisions.map((decision) => set?.bindNamed(decision, "strict")?.version);
    expect(strict).toEqual(["1.0.0", "1.1.0", "2.0.0"]);
    expect(decisions.map((decision) => set?.bindNamed(decision, "lax"))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each(["loam", "loan@3.0.0", "loan@3.0.0#strict", "#strict", "loan@", "loan#"])(
    "refuse the key %j",
    (key) => {
      expect(pathsOf({ decisions, versions, profiles: { [key]: {} } })).toEqual([`/profiles/${key}`]);
    },
  );

  it("report a broken profile once, however many versions it is for", () => {
    expect(pathsOf({ decisions, versions, profiles: { loan: { limit: "x" } } })).toEqual([
      "/profiles/loan/limit",
    ]);
  });

  it("may be chosen by callers where each version has them", () => {
    const options = { decisions, versions, callerProfiles: { loan: ["strict", "lax"] } };
    const profiles = { "loan#strict": {}, "loan@1.0.0#lax": {} };
    expect(problemsOf({ ...options, profiles })).toEqual([
      ["/callerProfiles/loan", expect.stringContaining("1.1.0")],
      ["/callerProfiles/loan", expect.stringContaining("2.0.0")],
    ]);
    expect(pathsOf({ ...options, profiles: { ...profiles, "loan#lax": {} } })).toEqual([]);
  });

  it.each<[unknown, string]>([
    [["strict"], "/callerProfiles"],
    [{ loam: ["strict"] }, "/callerProfiles/loam"],
    [{ loan: "strict" }, "/callerProfiles/loan"],
    [{ loan: [1] }, "/callerProfiles/loan/0"],
    [{ loan: [""] }, "/callerProfiles/loan/0"],
  ])("refuse %j as callerProfiles", (callerProfiles, path) => {
    expect(pathsOf({ decisions, versions, callerProfiles })).toEqual([path]);
  });
});

describe("a decision that others use", () => {
  const used = needing("1", { id: "used" });
  const user = version("1", { id: "user", uses: [version("1", { id: "middle", uses: [used] })] });

  it("has a profile of the host, whether or not it is served", () => {
    const profiles = { used: { limit: 5 } };
    expect(createGeneration([user], profiles).profiles?.profileOf(used)).toEqual({ limit: 5 });
    expect(pathsOf({ decisions: [user], profiles })).toEqual([]);
    expect(pathsOf({ decisions: [user], profiles: { used: { limit: "x" } } })).toEqual([
      "/profiles/used/limit",
    ]);
  });

  it("is refused at start when it has none, also where calls may bring profiles: none brings this one", () => {
    expect(pathsOf({ decisions: [user] }, true)).toEqual(["/profiles/used"]);
    expect(pathsOf({ decisions: [user], profileResolver: () => ({}) })).toEqual(["/profiles/used"]);
    expect(pathsOf({ decisions: [needing("1")] }, true)).toEqual([]);
    const own = version("1", { id: "user", uses: [withProfile(used, { limit: 1 })] });
    expect(pathsOf({ decisions: [own] })).toEqual([]);
  });

  it("is refused in a set that is loaded later", async () => {
    let limit: unknown = { limit: 1 };
    const loads: unknown[] = [];
    const load = () => ({ profiles: limit === undefined ? {} : { used: limit } });
    const { catalogue } = createService(
      "host",
      {
        decisions: [user],
        profiles: watchProfiles({ load, everyMs: 100 }),
        logger: { error() {} },
        observers: [{ onEvaluated() {}, onProfilesLoaded: ({ outcome }) => void loads.push(outcome) }],
      },
      { override: "replace" },
    );
    await expect.poll(() => loads).toContain("loaded");
    limit = undefined;
    await expect.poll(() => loads).toContain("failed");
    expect(catalogue.current.profiles?.profileOf(used)).toEqual({ limit: 1 });
    await catalogue.loads.stop();
  });
});

describe("the shadow option", () => {
  it.each<[string, unknown, string]>([
    ["something else than an object", [], "/shadow"],
    ["an id that is not served", { loam: { version: "2.0.0" } }, "/shadow/loam"],
    ["neither version nor decision", { loan: {} }, "/shadow/loan"],
    ["both", { loan: { version: "2.0.0", decision: version("3") } }, "/shadow/loan"],
    ["a version that is not served", { loan: { version: "3.0.0" } }, "/shadow/loan/version"],
    ["a definition", { loan: { decision: { id: "x" } } }, "/shadow/loan/decision"],
    ["a sample above 1", { loan: { version: "2.0.0", sample: 1.1 } }, "/shadow/loan/sample"],
    [
      "a sample that is not a number",
      { loan: { version: "2.0.0", sample: Number.NaN } },
      "/shadow/loan/sample",
    ],
    ["an unknown option", { loan: { version: "2.0.0", share: 1 } }, "/shadow/loan/share"],
  ])("refuses %s", (_what, shadow, path) => {
    expect(pathsOf({ decisions, versions, shadow })).toEqual([path]);
  });

  it("takes a candidate that is not served, with a profile of its own", () => {
    const candidate = needing("3.0.0");
    const options = { decisions, versions, shadow: { loan: { decision: candidate } } };
    expect(pathsOf(options)).toEqual(["/profiles/loan"]);
    expect(pathsOf({ ...options, profiles: { "loan@3.0.0": { limit: 3 } } })).toEqual([]);
  });
});

describe("a host with many mistakes", () => {
  it("is told all of them at once", () => {
    const paths = pathsOf({
      decisions: [...decisions, version("1.0.0"), {}],
      versions: { loan: { default: "9" }, other: { default: "1" } },
      profiles: { nobody: {}, loan: { limit: "x" } },
      callerProfiles: { loan: ["strict"] },
      shadow: { loan: { version: "8" } },
    });
    expect(new Set(paths)).toEqual(
      new Set([
        "/decisions/3",
        "/decisions/4",
        "/versions/loan/default",
        "/versions/other",
        "/callerProfiles/loan",
        "/shadow/loan/version",
        "/profiles/nobody",
        "/profiles/loan/limit",
      ]),
    );
  });

  it("loads no profiles any more", () => {
    const stop = vi.fn(async () => {});
    const profiles = { [feature]: "profile-source", watch: () => ({ stop }) };
    expect(pathsOf({ decisions: [1], profiles })).toEqual(["/decisions/0"]);
    expect(stop).toHaveBeenCalledTimes(1);
  });
});

describe("the start of a host", () => {
  const small = version("1.0.0");
  const many = (size: number) => Array.from({ length: size }, (_, index) => ({ ...small, id: `d${index}` }));

  it("takes time in step with the number of decisions and profiles", async () => {
    await expectCostInStep(
      (size) => {
        const list = many(size);
        const profiles = Object.fromEntries(list.map(({ id }) => [id, { limit: 2 }]));
        return () => createGeneration(list, profiles);
      },
      [1000, 10_000],
    );
  });

  it("takes time in step with the number of versions of one id", async () => {
    await expectCostInStep(
      (size) => {
        const list = Array.from({ length: size }, (_, index) => ({ ...small, version: `1.0.${index}` }));
        const profiles = Object.fromEntries(list.map(({ version }) => [`loan@${version}`, { limit: 2 }]));
        const deprecated = Object.fromEntries(list.map(({ version }) => [version, { since: "2026-01-01" }]));
        return () => createGeneration(list, profiles, { loan: { default: "1.0.0", deprecated } });
      },
      [250, 2500],
    );
  });

  it("takes time in step with the number of mistakes", async () => {
    await expectCostInStep(
      (size) => {
        const list = many(size);
        const profiles = Object.fromEntries(list.map(({ id }) => [id, { limit: "x" }]));
        return () => pathsOf({ decisions: list, profiles }).length;
      },
      [1000, 10_000],
    );
  });
});

function caught(action: () => unknown): DecernError {
  try {
    action();
  } catch (error) {
    if (error instanceof DecernError) return error;
  }
  throw new Error("no such error");
}
