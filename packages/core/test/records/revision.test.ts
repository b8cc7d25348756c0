import { describe, expect, it } from "vitest";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { createOriginReader, type SentProfile } from "../../src/host.js";
import { createEvaluator, type HookContext, type ProfileResolver } from "../../src/index.js";
import { choosing, request, version } from "../catalogue/hosted.js";
import { recordingLogger } from "../fixtures.js";
import { createRequestHandler } from "../fixtures-http.js";

const since = "2026-01-01T00:00:00Z";
const options = {
  decisions: [version("1.0.0"), version("2.0.0")],
  versions: { loan: { default: "1.0.0", deprecated: { "2.0.0": { since } } } },
  profiles: { loan: { limit: 10 }, "loan#strict": { limit: 5 } },
};

interface Call {
  readonly sent?: SentProfile | undefined;
  readonly pinned?: string | undefined;
  readonly select?: (() => string | undefined) | undefined;
  readonly profileResolver?: ProfileResolver | undefined;
  readonly merges?: boolean | undefined;
  readonly beforeEvaluate?: ((context: HookContext) => Partial<HookContext>) | undefined;
}

/** The record of one call, as a host with several versions makes it, and the reply. */
async function recorded({ sent, pinned, select, profileResolver, merges, beforeEvaluate }: Call) {
  const log = new MemoryLog();
  const chosen = choosing(
    {
      ...options,
      versions: { loan: { ...options.versions.loan, select } },
      log,
      logger: recordingLogger(),
      ...(beforeEvaluate === undefined ? {} : { hooks: { beforeEvaluate } }),
    },
    { profileResolver, merges },
  );
  const reply = await chosen.reply(sent, pinned, { caller: "web-shop", request, traceparent: undefined });
  const [record] = log.kept;
  return { record, reply };
}

describe("how the version of a record was chosen", () => {
  it.each<[string, Call, string, string]>([
    ["by the host's default", {}, "default", "1.0.0"],
    ["by the path", { pinned: "2.0.0" }, "path", "2.0.0"],
    ["by the path, though it is the default", { pinned: "1.0.0" }, "path", "1.0.0"],
    ["by select", { select: () => "2.0.0" }, "select", "2.0.0"],
    ["by the default, where select leaves it", { select: () => undefined }, "default", "1.0.0"],
    ["by the path, without asking select", { pinned: "1.0.0", select: () => "2.0.0" }, "path", "1.0.0"],
  ])("%s", async (_how, call, selectedBy, chosen) => {
    const { record } = await recorded(call);
    expect(record).toMatchObject({ selectedBy, decision: { id: "loan", version: chosen } });
  });

  it.each<[string, Call, string, string]>([
    ["select throws", { select: () => fail() }, "select", "1.0.0"],
    [
      "profileResolver throws for a pinned version",
      { pinned: "2.0.0", profileResolver: fail },
      "path",
      "2.0.0",
    ],
  ])("is known too when %s, which is an error", async (_how, call, selectedBy, chosen) => {
    const { record, reply } = await recorded(call);
    expect(record).toMatchObject({ selectedBy, decision: { version: chosen }, error: "INTERNAL_ERROR" });
    expect(reply.headers).toEqual({ "decern-record-id": "record-1" });
  });

  it("comes with the headers of a deprecated version", async () => {
    const { reply } = await recorded({ pinned: "2.0.0" });
    expect(reply.headers).toEqual({
      deprecation: `@${Date.parse(since) / 1000}`,
      "decern-record-id": "record-1",
    });
  });
});

function fail(): never {
  throw new Error("boom");
}

describe("the profile of a record", () => {
  const strict = { limit: 5 };
  const host = { limit: 10 };

  it.each<[string, Call, object, boolean]>([
    ["the host's default", {}, host, false],
    ["a named one", { sent: { name: "strict" } }, strict, false],
    ["that of profileResolver", { profileResolver: () => ({ limit: 7 }) }, { limit: 7 }, false],
    ["the default, as profileResolver wants", { profileResolver: () => undefined }, host, false],
    [
      "a named one, as profileResolver wants",
      { profileResolver: ({ named }) => named("strict") },
      strict,
      false,
    ],
    ["the caller's", { sent: { profile: { limit: 3 } } }, { limit: 3 }, true],
    [
      "the caller's, merged into the default",
      { merges: true, sent: { profile: { tags: ["a"] } } },
      { limit: 10, tags: ["a"] },
      true,
    ],
    [
      "the caller's, merged into that of profileResolver",
      { merges: true, sent: { profile: { tags: ["a"] } }, profileResolver: () => ({ limit: 7 }) },
      { limit: 7, tags: ["a"] },
      true,
    ],
    [
      "the caller's, merged into a named one",
      { merges: true, sent: { name: "strict", profile: { tags: ["a"] } } },
      { limit: 5, tags: ["a"] },
      true,
    ],
    ["a hook's", { beforeEvaluate: () => ({ profile: { limit: 2 } }) }, { limit: 2 }, true],
    ["the default, which a hook left alone", { beforeEvaluate: () => ({ requestId: "r" }) }, host, false],
    [
      "the default, which a hook changed in place",
      { beforeEvaluate: (context) => Object.assign(context, { profile: { limit: 1 } }) },
      { limit: 1 },
      true,
    ],
  ])("is %s", async (_whose, call, profile, hasOwnProfile) => {
    const { record } = await recorded(call);
    expect(record).toMatchObject({ hasOwnProfile, error: undefined });
    expect(record?.profile).toEqual(profile);
  });

  it("is the decision's own where nobody gave one, and the caller's in process", async () => {
    const log = new MemoryLog();
    const evaluator = createEvaluator({ log });
    await evaluator.evaluate(version("1.0.0"), { input: {} });
    await evaluator.evaluate(version("1.0.0"), { input: {}, profile: { limit: 4 } });
    expect(log.kept.map(({ profile, hasOwnProfile }) => [profile, hasOwnProfile])).toEqual([
      [{}, false],
      [{ limit: 4 }, true],
    ]);
  });

  it("is the host's in a host of one decision, whose resolver answers nothing", async () => {
    const log = new MemoryLog();
    const handler = createRequestHandler({ log }, version("1.0.0"), {
      input: () => ({}),
      profile: () => undefined,
    });
    await handler.handle({}, "req-1");
    expect(log.kept).toMatchObject([{ profile: {}, hasOwnProfile: false, selectedBy: "default" }]);
  });
});

describe("traceparent", () => {
  const trace = "0af7651916cd43dd8448eb211c80319c";
  const parent = "b7ad6b7169203331";
  const read = createOriginReader<string | readonly string[] | undefined>(
    {
      method: () => "POST",
      url: () => "/",
      headers: (traceparent) => ({ traceparent }),
      ip: () => undefined,
      identity: () => undefined,
    },
    undefined,
  );

  it.each([
    `00-${trace}-${parent}-01`,
    `00-${trace}-${parent}-00`,
    `cc-${trace}-${parent}-01-more`,
    `cc-${trace}-${parent}-01`,
  ])("is kept as it is: %s", (header) => {
    expect(read(header).traceparent).toBe(header);
  });

  it.each([
    undefined,
    "",
    "<script>",
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-01-more`,
    `00-${trace}-${parent}-01-`,
    `ff-${trace}-${parent}-01`,
    `00-${"0".repeat(32)}-${parent}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    ` 00-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01\n`,
    `cc-${trace}-${parent}-01-${"x".repeat(201)}`,
    [`00-${trace}-${parent}-01`],
  ])("is left out where it is malformed: %j", (header) => {
    expect(read(header).traceparent).toBeUndefined();
  });
});
