import type { Decision } from "@decern/core";
import { createService, Handler } from "@decern/core/host";
import { describe, expect, it } from "vitest";
import { limited } from "./support/decisions.js";
import { chainErrors, schemaErrors } from "./support/judge-records.js";
import { quietLogger } from "./support/recording-logger.js";
import { setUp } from "./support/set-up.js";

interface Sent {
  readonly input: unknown;
  readonly profile?: unknown;
  readonly isShared?: boolean;
}

/** A host with two versions, the way in which servers and adapters are built. */
function hosting(
  options: Omit<Parameters<typeof createService>[1], "decisions" | "logger">,
  logOptions: Parameters<typeof setUp>[0] = {},
) {
  const subject = { key: "sixteen characters", of: { limited: () => "Ann" } };
  const { store, log } = setUp({ subject, ...logOptions });
  const decisions = [limited("1.0.0"), limited("2.0.0")];
  const service = createService("host", { decisions, log, logger: quietLogger(), ...options });
  const handler = new Handler(service);
  // One for each request, which is one profile here.
  const shared = new Map<unknown, Map<Decision, unknown>>();
  const ask = async ({ input, profile, isShared = false }: Sent, version?: string) => {
    const target = service.catalogue.current.find("limited", version);
    if (typeof target === "string") throw new Error(target);
    if (!shared.has(profile)) shared.set(profile, new Map());
    const sent =
      profile === undefined ? undefined : { profile, shared: isShared ? shared.get(profile) : undefined };
    await new Promise<void>((resolve, reject) => {
      const exchange = {
        source: undefined,
        requestId: "req-1",
        origin: () => ({ caller: "bank", request: undefined }),
        input: () => input,
        sent: () => sent,
        onDecided: () => {},
        hasBegun: () => false,
        hasEnded: () => false,
        write: () => resolve(),
        leave: () => reject(new Error("left")),
        fail: reject,
        handsOverHostErrors: false,
      };
      handler.respond(exchange, target);
    });
    // A shadow runs in the turn after the reply.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  };
  const written = async () => {
    await log.flush();
    for (const line of store.lines) expect(schemaErrors(line)).toEqual([]);
    expect(chainErrors(store.lines)).toEqual([]);
    await log.close();
    return store.records;
  };
  return { log, store, ask, written };
}

describe("a record of a host is valid against the published schema", () => {
  it("where a caller's profile is not valid", async () => {
    const { ask, written } = hosting({ versions: { limited: { default: "1.0.0" } } });
    await ask({ input: 1, profile: { limit: "none" } });
    expect(await written()).toMatchObject([
      {
        status: "INVALID_PROFILE",
        payload: { profile: { limit: "none" }, result: { status: "INVALID_PROFILE" } },
      },
    ]);
  });

  it.each([
    ["the host's default", { default: "1.0.0" }, undefined, "default", "1.0.0"],
    ["the path", { default: "1.0.0" }, "2.0.0", "path", "2.0.0"],
    ["the host's select", { default: "1.0.0", select: () => "2.0.0" }, undefined, "select", "2.0.0"],
    ["a select that fails", { default: "1.0.0", select: () => "3.0.0" }, undefined, "select", "1.0.0"],
  ])("where the version was chosen by %s", async (_what, limits, pinned, selectedBy, version) => {
    const { ask, written } = hosting({ versions: { limited: limits } });
    await ask({ input: 1 }, pinned);
    expect(await written()).toMatchObject([
      { selectedBy, decision: { id: "limited", version }, caller: "bank" },
    ]);
  });

  it("where it is of a shadow", async () => {
    const { ask, written } = hosting({
      versions: { limited: { default: "1.0.0" } },
      shadow: { limited: { version: "2.0.0", sample: 1 } },
    });
    await ask({ input: { name: "Ann" } });
    const [main, shadow] = await written();
    expect(main).toMatchObject({ selectedBy: "default", decision: { version: "1.0.0" } });
    expect(shadow).toMatchObject({
      selectedBy: "shadow",
      decision: { version: "2.0.0" },
      requestId: "req-1",
      sampleRate: 1,
      shadowOf: main?.recordId,
      subject: main?.subject,
      payload: { input: { name: "Ann" }, result: { status: "OK", data: { version: "2.0.0" } } },
    });
    expect(main).not.toHaveProperty("shadowOf");
  });

  it("where it is of a shadow whose call was sampled away", async () => {
    const { ask, written } = hosting(
      { versions: { limited: { default: "1.0.0" } }, shadow: { limited: { version: "2.0.0", sample: 1 } } },
      { sample: { limited: { OK: 0.5 } } },
    );
    for (let call = 0; call < 200; call += 1) await ask({ input: call });
    const records = await written();
    const calls = new Set(records.filter((one) => one.selectedBy !== "shadow").map((one) => one.recordId));
    const shadows = records.filter((one) => one.selectedBy === "shadow");
    const named = shadows.flatMap(({ shadowOf }) => shadowOf ?? []);
    expect(named.filter((id) => !calls.has(id))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
    expect(named.length).toBeGreaterThan(0);
    expect(named.length).toBeLessThan(shadows.length);
  });
});

describe("a caller's profile that many calls share", () => {
  const versions = { limited: { default: "1.0.0" } };

  it("is written once, and once more by its hash only in each record", async () => {
    const { store, ask, written } = hosting({ versions }, { subject: undefined });
    const profile = { limit: 5, note: "n".repeat(5000) };
    for (const input of [1, 2, 3]) await ask({ input, profile, isShared: true });
    const records = await written();
    expect(records).toHaveLength(3);
    expect(records.map(({ masked }) => masked)).toEqual([["/profile"], ["/profile"], ["/profile"]]);
    expect(records.map(({ payload }) => payload)).toMatchObject(
      [1, 2, 3].map((input) => ({ input, result: { data: { limit: 5 } } })),
    );
    expect(store.lines.join("")).not.toContain("nnn");
    expect([...store.profiles]).toEqual([[records[0]?.profileHash, JSON.stringify(profile)]]);
  });

  it("counts as what waits to be written, once", async () => {
    const { log, store, ask } = hosting({ versions }, { subject: undefined, maxPendingBytes: 100_000 });
    let open = (): void => {};
    store.gate = new Promise((resolve) => {
      open = resolve;
    });
    const long = (name: string) => ({ limit: 5, note: name.repeat(60_000) });
    const first = long("a");
    for (const input of [1, 2, 3]) await ask({ input, profile: first, isShared: true });
    expect(log.isAvailable).toBe(true);
    await ask({ input: 4, profile: long("b"), isShared: true });
    expect(log.isAvailable).toBe(false);
    open();
    await log.close();
  });

  it("may have more levels than anything follows", async () => {
    const { ask, written } = hosting({ versions }, { subject: undefined });
    const profile: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    for (let level = profile; Array.isArray(level); [level] = level) Object.freeze(level);
    for (const input of [1, 2]) await ask({ input, profile, isShared: true });
    expect((await written()).map(({ status }) => status)).toEqual(["INVALID_PROFILE", "INVALID_PROFILE"]);
  });
});
