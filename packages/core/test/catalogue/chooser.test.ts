import { describe, expect, it, vi } from "vitest";
import type { SentProfile } from "../../src/host.js";
import type { ProfileResolver, Reply } from "../../src/index.js";
import { recordingObserver } from "../fixtures.js";
import { choosing, needing, request, version } from "./hosted.js";

const decisions = [version("1.0.0"), version("2.0.0")];
const versions = { loan: { default: "1.0.0" } };
const profiles = {
  loan: { limit: 10, tags: ["host"] },
  "loan#strict": { limit: 5, tags: ["strict"] },
  "loan@2.0.0": { limit: 20 },
};
const origin = { caller: "web-shop", request };

/** The reply to one call. */
function reply(chosen: ReturnType<typeof choosing>, sent?: SentProfile, pinned?: string): Promise<Reply> {
  return chosen.reply(sent, pinned, origin);
}

/** Version, limit and tags of a reply. */
async function decided(...given: Parameters<typeof reply>): Promise<unknown> {
  const { status, body } = await reply(...given);
  const { data, meta, code } = JSON.parse(body);
  return status === 200
    ? [meta.decisionVersion, data.limit, data.tags]
    : [status, code ?? JSON.parse(body).status];
}

const standard = ["1.0.0", 10, ["host"]];

describe("a call that says nothing", () => {
  it("takes the default version and its default profile", async () => {
    expect(await decided(choosing({ decisions, versions, profiles }))).toEqual(standard);
  });

  it("takes the version that select chooses, with that version's profile", async () => {
    const select = vi.fn(() => "2.0.0");
    const chosen = choosing({ decisions, versions: { loan: { default: "1.0.0", select } }, profiles });
    expect(await decided(chosen)).toEqual(["2.0.0", 20, []]);
    expect(select.mock.calls).toEqual([[{ input: {}, ...origin }]]);
  });

  it("evaluates what the caller sent, whatever select writes to its own copy", async () => {
    const input = { amount: 7, list: [{ n: 1 }] };
    const select = (call: { readonly input: unknown }) => {
      expect(call.input).toBe(call.input);
      expect({ ...call }.input).toEqual(input);
      Object.assign(Object(call.input), { amount: 9 }).list[0].n = 2;
      return "2.0.0";
    };
    const { choose } = choosing({ decisions, versions: { loan: { default: "1.0.0", select } }, profiles });
    expect((await choose(input, origin)).decision.version).toBe("2.0.0");
    expect(input).toEqual({ amount: 7, list: [{ n: 1 }] });
  });

  it("takes the version that its path pins, without asking select", async () => {
    const select = vi.fn(() => "1.0.0");
    const chosen = choosing({ decisions, versions: { loan: { default: "1.0.0", select } }, profiles });
    expect(await decided(chosen, undefined, "2.0.0")).toEqual(["2.0.0", 20, []]);
    expect(select).not.toHaveBeenCalled();
  });

  it("gets the headers of the version that decided", async () => {
    const deprecated = { "1.0.0": { since: "2026-01-01" } };
    const chosen = choosing({ decisions, versions: { loan: { default: "1.0.0", deprecated } } });
    expect((await reply(chosen)).headers).toEqual({ deprecation: "@1767225600" });
    expect((await reply(chosen, undefined, "2.0.0")).headers).toBeUndefined();
    expect((await reply(chosen, { profile: { limit: "x" } })).headers).toEqual({
      deprecation: "@1767225600",
    });
  });
});

describe("a call with a named profile", () => {
  it("takes it, for the version that decides", async () => {
    const chosen = choosing({ decisions, versions, profiles });
    expect(await decided(chosen, { name: "strict" })).toEqual(["1.0.0", 5, ["strict"]]);
    expect(await decided(chosen, { name: "strict" }, "2.0.0")).toEqual(["2.0.0", 5, ["strict"]]);
  });

  it("is not asked for again by profileResolver", async () => {
    const profileResolver = vi.fn(() => ({ limit: 7 }));
    const chosen = choosing({ decisions, versions, profiles }, { profileResolver });
    expect(await decided(chosen, { name: "strict" })).toEqual(["1.0.0", 5, ["strict"]]);
    expect(profileResolver).not.toHaveBeenCalled();
  });
});

describe("a call with a profile of its own", () => {
  const sent = { profile: { limit: 3 } };

  it("replaces the host's, and nobody resolves one", async () => {
    const profileResolver = vi.fn(() => ({ limit: 7 }));
    expect(await decided(choosing({ decisions, versions, profiles }), sent)).toEqual(["1.0.0", 3, []]);
    const resolving = choosing({ decisions, versions, profiles }, { profileResolver });
    expect(await decided(resolving, sent)).toEqual(["1.0.0", 3, []]);
    expect(profileResolver).not.toHaveBeenCalled();
  });

  it.each<[string, ProfileResolver | undefined, SentProfile, unknown]>([
    ["the default one", undefined, sent, ["1.0.0", 3, ["host"]]],
    ["the resolved one", () => ({ limit: 7, tags: ["tenant"] }), sent, ["1.0.0", 3, ["tenant"]]],
    ["the default one if none is resolved", async () => undefined, sent, ["1.0.0", 3, ["host"]]],
    ["the named one", undefined, { ...sent, name: "strict" }, ["1.0.0", 3, ["strict"]]],
    ["removing what is null", undefined, { profile: { tags: null } }, ["1.0.0", 10, []]],
  ])("is merged into %s", async (_what, profileResolver, given, result) => {
    const chosen = choosing({ decisions, versions, profiles }, { profileResolver, merges: true });
    expect(await decided(chosen, given)).toEqual(result);
    // The host's own is as it was.
    expect(await decided(chosen, { name: "strict" })).toEqual(["1.0.0", 5, ["strict"]]);
  });

  it.each([null, false, 0, "", []])("counts as one if it is %j", async (profile) => {
    for (const merges of [true, false]) {
      const chosen = choosing({ decisions, versions, profiles }, { merges });
      expect(await decided(chosen, { profile })).toEqual([400, "INVALID_PROFILE"]);
    }
  });

  it("is the caller's fault when it breaks the schema, however it was put together and however deep it is", async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
    for (const merges of [true, false]) {
      const chosen = choosing(
        { decisions, versions, profiles },
        { merges, profileResolver: () => undefined },
      );
      expect(await decided(chosen, { profile: { limit: "x" } })).toEqual([400, "INVALID_PROFILE"]);
      expect(await decided(chosen, { profile: { limit: deep } })).toEqual([400, "INVALID_PROFILE"]);
    }
  });

  it("does not make the caller answer for the host's own profile", async () => {
    const chosen = choosing(
      { decisions, versions, profiles },
      { merges: true, profileResolver: () => ({ limit: "x" }) },
    );
    expect(await decided(chosen, { profile: { limit: 3 } })).toEqual([500, "INVALID_HOST_PROFILE"]);
  });
});

describe("profileResolver", () => {
  it("is told the version, the caller and the request, and can name a profile", async () => {
    const profileResolver = vi.fn<ProfileResolver>(({ named }) => named("strict"));
    const chosen = choosing({ decisions, versions, profiles }, { profileResolver });
    expect(await decided(chosen, undefined, "2.0.0")).toEqual(["2.0.0", 5, ["strict"]]);
    const { named, ...told } = profileResolver.mock.calls[0]?.[0] ?? {};
    expect(told).toEqual({ decisionId: "loan", decisionVersion: "2.0.0", selectedBy: "path", ...origin });
    expect(named).toBeInstanceOf(Function);
  });

  it.each<[string, ProfileResolver, unknown]>([
    ["a profile", () => ({ limit: 7 }), ["1.0.0", 7, []]],
    ["a promise of one", async () => ({ limit: 7 }), ["1.0.0", 7, []]],
    ["undefined", () => undefined, standard],
    ["a promise of undefined", async () => undefined, standard],
  ])("may return %s", async (_what, profileResolver, result) => {
    expect(await decided(choosing({ decisions, versions, profiles }, { profileResolver }))).toEqual(result);
  });

  const boom = new Error("boom");
  it.each<[string, ProfileResolver, number, string]>([
    [
      "throws",
      () => {
        throw boom;
      },
      500,
      "INTERNAL_ERROR",
    ],
    ["rejects", () => Promise.reject(boom), 500, "INTERNAL_ERROR"],
    ["never settles", () => new Promise(() => {}), 503, "HOOK_TIMEOUT"],
    ["returns a profile that breaks its schema", () => ({ limit: "x" }), 500, "INVALID_HOST_PROFILE"],
    ["returns null", () => null, 500, "INVALID_HOST_PROFILE"],
    ["names a profile that does not exist", ({ named }) => named("lax"), 500, "INTERNAL_ERROR"],
    ["names none", ({ named }) => Reflect.apply(named, undefined, [undefined]), 500, "INTERNAL_ERROR"],
    ["names what is no text", ({ named }) => Reflect.apply(named, undefined, [1n]), 500, "INTERNAL_ERROR"],
    ["returns what only looks like a promise", () => thenable(boom), 500, "INTERNAL_ERROR"],
  ])(
    "is the host's fault when it %s: counted once, and masked",
    async (_what, profileResolver, status, code) => {
      const observer = recordingObserver();
      const onError = vi.fn();
      const options = { observers: [observer], hooks: { onError } };
      const chosen = choosing({ decisions, versions, profiles, ...options }, { profileResolver });
      const failed = await reply(chosen);
      expect({ status: failed.status, code: JSON.parse(failed.body).code }).toEqual({ status, code });
      expect(failed.body).not.toMatch(/boom|lax|limit/);
      expect(failed.hostError).toBeDefined();
      expect(observer.events.map((event) => event.status)).toEqual(["ERROR"]);
      expect(onError).toHaveBeenCalledTimes(1);
    },
  );
});

describe("select that fails", () => {
  it("is the host's fault: counted once under the default version, and masked", async () => {
    const observer = recordingObserver();
    const select = () => "9.9.9";
    const policies = { loan: { default: "1.0.0", select } };
    const failed = await reply(choosing({ decisions, versions: policies, observers: [observer] }));
    expect({ status: failed.status, code: JSON.parse(failed.body).code }).toEqual({
      status: 500,
      code: "INTERNAL_ERROR",
    });
    expect(observer.events.map(({ decision, status }) => [decision.version, status])).toEqual([
      ["1.0.0", "ERROR"],
    ]);
  });
});

describe("a decision that is used", () => {
  it("has the host's profile of the set that the call started with", async () => {
    const used = needing("1", { id: "used" });
    const seen: unknown[] = [];
    const user = version("1.0.0", { uses: [used] });
    const chosen = choosing({ decisions: [user], profiles: { used: { limit: 1 } } });
    const { profiles: set } = await chosen.choose({}, origin);
    seen.push(set?.profileOf(used));
    chosen.catalogue.accept("profiles", { profiles: { used: { limit: 2 } }, revision: "2" });
    seen.push(set?.profileOf(used), (await chosen.choose({}, origin)).profiles?.profileOf(used));
    expect(seen).toEqual([{ limit: 1 }, { limit: 1 }, { limit: 2 }]);
  });
});

/** Cannot even be asked whether it is a promise. */
function thenable(thrown: unknown): object {
  return new Proxy(
    {},
    {
      get: () => {
        throw thrown;
      },
    },
  );
}
