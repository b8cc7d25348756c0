import { createHmac } from "node:crypto";
import { DecernError, withProfile } from "@decern/core";
import { createService, createSingleService } from "@decern/core/host";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { feeContract } from "../../../test/support/fee-contract.js";
import { type DecisionSet, watchDecisions, watchProfiles } from "../../../test/support/watch.js";
import { decisions, echo, greeting, welcome } from "./support/decisions.js";
import { chainErrors, schemaErrors } from "./support/judge-records.js";
import { setUp } from "./support/set-up.js";

const key = "a key of sixteen bytes, or more";

/** A name that breaks the type of the input, as a caller may send it. */
const noName: unknown = { name: 5 };

describe("a record", () => {
  it("is valid against the published schema, whatever came of the call", async () => {
    const subject = { key, of: { greeting: () => "Ann", welcome: () => undefined } };
    const { store, log, evaluator } = setUp({ build: "abc123", subject, mask: { echo: ["/input/secret"] } });
    await evaluator.evaluate(greeting, { input: { name: "Ann" } });
    await evaluator.evaluate(greeting, { input: { name: "Nobody" }, profile: { any: 1 } });
    await evaluator.evaluate(greeting, { input: noName });
    expect(() => evaluator.evaluate(greeting, { input: { name: "throw" } })).toThrow(DecernError);
    await evaluator.evaluate(welcome, { input: { name: "Ann" } });
    await evaluator.evaluate(echo, { input: { secret: "x", open: "y" } });
    await log.flush();
    expect(store.records.map(({ status }) => status)).toEqual([
      "OK",
      "NO_MATCH",
      "INVALID_INPUT",
      "ERROR",
      "OK",
      "OK",
    ]);
    for (const line of store.lines) expect(schemaErrors(line)).toEqual([]);
    for (const [profileHash, text] of store.profiles) {
      const line = { recordVersion: 1, profileHash, profile: JSON.parse(text) };
      expect(schemaErrors(JSON.stringify(line))).toEqual([]);
    }
    expect(schemaErrors(JSON.stringify({ ...store.records[0], more: 1 }))).not.toEqual([]);
    expect(chainErrors(store.lines)).toEqual([]);
    await log.close();
  });

  it("says what was asked, by whom, under which revision, and what came of it", async () => {
    const { store, log, evaluator } = setUp({
      build: "abc123",
      subject: { key, of: { greeting: () => "Ann" } },
    });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const { runner, catalogue } = createSingleService("test", {
      decision: withProfile(greeting, { b: 1, a: 2 }),
      log,
    });
    const origin = { caller: "bank", request: undefined, traceparent };
    const { only } = catalogue.current;
    if (typeof only === "string") throw new Error(only);
    await runner.run(origin, only.served.choice, { name: "Ann" }, "r-1");
    await evaluator.evaluate(greeting, { input: { name: "Bo" }, profile: { own: true } });
    await log.flush();
    const [first, second] = store.records;
    expect(first).toMatchObject({
      recordVersion: 1,
      requestId: "r-1",
      caller: "bank",
      traceparent,
      decision: { id: "greeting", version: "1.0.0" },
      build: "abc123",
      selectedBy: "default",
      status: "OK",
      matchedRule: "hello",
      sampleRate: 1,
      subject: `sha256:${createHmac("sha256", key).update("Ann").digest("hex")}`,
      masked: [],
      payload: { input: { name: "Ann" }, result: { status: "OK", data: { text: "Hello Ann" } } },
      previousHash: null,
    });
    expect(first?.payload).not.toHaveProperty("profile");
    expect(await log.profile(first?.profileHash ?? "")).toEqual({ a: 2, b: 1 });
    expect(second?.payload?.profile).toEqual({ own: true });
    expect(await log.profile(second?.profileHash ?? "")).toBeUndefined();
    await log.close();
  });

  it("names the revision of the profiles that a source had loaded, in the place where its hash needs it", async () => {
    const { store, log } = setUp();
    let revision = 'r"1';
    const load = () => ({ revision, profiles: { greeting: { of: revision } } });
    let wake = () => {};
    const profiles = watchProfiles({
      load,
      wake: (next) => {
        wake = next;
        return undefined;
      },
    });
    const service = createService("test", { decisions: [greeting], profiles, log });
    const { runner, catalogue } = service;
    const evaluate = async () => {
      await expect.poll(() => catalogue.current.revisions.profiles?.revision).toBe(revision);
      const choice = catalogue.current.get("greeting")?.choice;
      if (choice === undefined) throw new Error("not served");
      await runner.run({ caller: undefined, request: undefined }, choice, { name: "Ann" }, "r-1");
    };
    await evaluate();
    revision = "r2";
    wake();
    await evaluate();
    await log.flush();
    expect(store.records.map(({ profileRevision }) => profileRevision)).toEqual(['r"1', "r2"]);
    for (const line of store.lines) expect(schemaErrors(line)).toEqual([]);
    expect(chainErrors(store.lines)).toEqual([]);
    await service.stop();
    await log.close();
  });

  it("names the set of decisions that was in use, also where a version is kept or the set brings profiles", async () => {
    const { store, log } = setUp({ build: "abc" });
    let wake = () => {};
    let set: DecisionSet = {
      revision: "fees-1",
      decisions: [{ name: "a", document: { table: "fee", version: "1", fee: 4 } }],
    };
    const decisions = watchDecisions({
      load: () => set,
      contracts: [feeContract("fee")],
      fixed: [greeting],
      keepVersions: 1,
      wake: (next) => {
        wake = next;
        return undefined;
      },
    });
    const service = createService("test", { decisions, log });
    const { runner, catalogue } = service;
    await expect.poll(() => catalogue.current.notLoaded).toBeUndefined();
    const run = async (id: string, version?: string) => {
      const served = catalogue.current.get(id);
      const choice = version === undefined ? served?.choice : served?.versions.get(version)?.pinned;
      if (choice === undefined) throw new Error("not served");
      await runner.run(
        { caller: undefined, request: undefined },
        choice,
        id === "fee" ? {} : { name: "Ann" },
        "r-1",
      );
    };
    await run("fee");
    set = {
      revision: "fees-2",
      decisions: [{ name: "a", document: { table: "fee", version: "2", fee: 5 } }],
      profiles: { fee: { limit: 3 } },
    };
    wake();
    await expect.poll(() => catalogue.current.revisions.decisions?.revision).toBe("fees-2");
    await run("fee");
    await run("fee", "1");
    await run("greeting");
    await log.flush();
    const named = store.records.map(({ decision, decisionRevision, profileRevision }) => ({
      of: `${decision.id} ${decision.version}`,
      decisionRevision,
      profileRevision,
    }));
    expect(named).toEqual([
      { of: "fee 1", decisionRevision: "fees-1" },
      { of: "fee 2", decisionRevision: "fees-2", profileRevision: "fees-2" },
      { of: "fee 1", decisionRevision: "fees-2", profileRevision: "fees-2" },
      { of: "greeting 1.0.0", decisionRevision: "fees-2", profileRevision: "fees-2" },
    ]);
    for (const line of store.lines) expect(schemaErrors(line)).toEqual([]);
    expect(chainErrors(store.lines)).toEqual([]);
    await service.stop();
    await log.close();
  });

  it("has what the decision used, with its profile, and what the caller was told of a fault", async () => {
    const { store, log, evaluator } = setUp();
    await evaluator.evaluate(welcome, { input: { name: "Ann" } });
    expect(() => evaluator.evaluate(greeting, { input: { name: "throw" } })).toThrow(DecernError);
    await log.flush();
    const [used] = store.records[0]?.payload?.used ?? [];
    expect(used).toMatchObject({ id: "greeting", version: "1.0.0", result: { data: { text: "Hello Ann" } } });
    expect(await log.profile(used?.profileHash ?? "")).toEqual({});
    expect(store.records[1]?.payload?.error).toEqual({
      code: "EVALUATION_FAILED",
      message: "Evaluation failed",
    });
    expect(store.lines[1]).not.toContain("secret of");
    await log.close();
  });

  it("is hashed as others compute it, for any input", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ stringUnit: "binary" }), { minLength: 1 }), async (inputs) => {
        const { store, log, evaluator } = setUp();
        for (const input of inputs) await evaluator.evaluate(echo, { input });
        await log.flush();
        expect(chainErrors(store.lines)).toEqual([]);
        expect(store.records.map(({ payload }) => payload?.input)).toEqual(
          JSON.parse(JSON.stringify(inputs)),
        );
        expect(await log.verify()).toMatchObject({ ok: true, records: inputs.length });
        await log.close();
      }),
    );
  });

  it("is hashed as others compute it, and its payload is where it is said to be, wherever its text is not ASCII", async () => {
    for (const build of ["build", "Bücher"]) {
      const isNameless = (input: unknown) => JSON.stringify(input) === '{"name":""}';
      const subject = { key, of: { welcome: (input: unknown) => (isNameless(input) ? "" : "Ann") } };
      const { store, log, evaluator } = setUp({ build, subject });
      for (const caller of [undefined, "bank", "Ærø"])
        for (const requestId of ["r-1", "№ 1"])
          for (const name of ["Ann", "Zoë", "throw"])
            for (const decision of [greeting, welcome])
              await Promise.resolve()
                .then(() => evaluator.evaluate(decision, { input: { name }, caller, requestId }))
                .catch(() => {});
      // Without a payload.
      await evaluator.evaluate(welcome, { input: { name: "" }, caller: "Ærø", requestId: "№ 2" });
      await log.flush();
      expect(chainErrors(store.lines)).toEqual([]);
      const payloads = store.sealed.map(({ payloadStart, payloadEnd }, index) =>
        JSON.parse(Buffer.from(store.lines[index] ?? "").toString("utf8", payloadStart, payloadEnd)),
      );
      expect(payloads).toEqual(store.records.map(({ payload }) => payload));
      expect(payloads.filter((payload) => payload === null)).toHaveLength(1);
      expect(store.sealed.map(({ hash }) => hash)).toEqual(store.records.map(({ hash }) => hash));
      await log.close();
    }
  });

  it("is hashed as others compute it when it is huge", async () => {
    const { store, log, evaluator } = setUp();
    for (const text of ["é".repeat(100_000), "small", "€".repeat(21_900), "x".repeat(65_000)])
      await evaluator.evaluate(greeting, { input: { name: text } });
    await log.flush();
    expect(chainErrors(store.lines)).toEqual([]);
    await log.close();
  });

  it("leaves out what JSON cannot carry, at the smallest place, and says where", async () => {
    const { store, log, evaluator } = setUp();
    const cyclic: Record<string, unknown> = { kept: 1 };
    cyclic["self"] = cyclic;
    const inputs: readonly unknown[] = [
      { big: 1n, date: new Date(0), nested: { lone: "a\uD800", kept: "b" }, list: [1, Number.NaN, () => {}] },
      { "a/b": new Map([[1, 2]]), "~": Symbol("s"), ["\uDC00"]: 1, "": undefined },
      cyclic,
      1n,
    ];
    for (const input of inputs) await evaluator.evaluate(echo, { input, requestId: "half \uD800" });
    await log.flush();
    expect(store.records.map(({ masked }) => masked.filter((place) => place.startsWith("/input")))).toEqual([
      ["/input/big", "/input/list/1", "/input/list/2", "/input/nested/lone"],
      ["/input/a~1b", "/input/~0", "/input/\uFFFD"],
      ["/input/self"],
      ["/input"],
    ]);
    expect(store.records.map(({ payload }) => payload?.input)).toEqual([
      { date: "1970-01-01T00:00:00.000Z", nested: { kept: "b" }, list: [1, null, null] },
      {},
      { kept: 1 },
      undefined,
    ]);
    expect(store.records[0]?.requestId).toBe("half \uFFFD");
    expect(chainErrors(store.lines)).toEqual([]);
    await log.close();
  });

  it("is what the reply was, whatever a hook does with it afterwards", async () => {
    const input = { name: "Ann", more: ["a"] };
    const { store, log, evaluator } = setUp(
      {},
      {
        hooks: {
          afterEvaluate: (_context, result) => {
            input.more.push("changed");
            Reflect.set(result, "status", "changed");
          },
        },
      },
    );
    await evaluator.evaluate(greeting, { input });
    input.name = "changed";
    await log.flush();
    expect(store.lines.join()).not.toContain("changed");
    expect(store.records[0]?.payload?.input).toEqual({ name: "Ann", more: ["a"] });
    await log.close();
  });

  it("has a hook's refusal, as the caller is told of it", async () => {
    const refusal = Object.assign(new Error("Not on Sundays"), { statusCode: 403, code: "CLOSED" });
    const { store, log, evaluator } = setUp(
      {},
      {
        hooks: {
          beforeEvaluate: () => {
            throw refusal;
          },
        },
      },
    );
    await expect(evaluator.evaluate(greeting, { input: { name: "Ann" } })).rejects.toThrow(DecernError);
    await log.flush();
    expect(store.records[0]).toMatchObject({
      status: "ERROR",
      payload: { input: { name: "Ann" }, error: { code: "CLOSED", message: "Not on Sundays" } },
    });
    await log.close();
  });

  it("has no payload where the subject fails, and that is said without the input", async () => {
    const { store, log, logger, evaluator } = setUp({
      subject: {
        key,
        of: {
          greeting: () => {
            throw new Error("no Ann here");
          },
          echo: () => "",
        },
      },
    });
    await evaluator.evaluate(greeting, { input: { name: "Ann" } });
    await evaluator.evaluate(echo, { input: "Ann" });
    await log.flush();
    for (const record of store.records) expect(record).toMatchObject({ payload: null, masked: [""] });
    expect(store.lines.join()).not.toContain("Ann");
    const warnings = logger.lines.filter(({ level }) => level === "warn");
    expect(warnings.map(({ details }) => details["decisionId"])).toEqual(["greeting", "echo"]);
    expect(JSON.stringify(logger.lines)).not.toContain("Ann");
    for (const line of store.lines) expect(schemaErrors(line)).toEqual([]);
    expect(chainErrors(store.lines)).toEqual([]);
    await log.close();
  });

  it("of every decision has an id that is greater than the one before", async () => {
    const { store, log, evaluator } = setUp();
    for (let index = 0; index < 10_000; index += 1) await evaluator.evaluate(echo, { input: index });
    await log.flush();
    const ids = store.records.map(({ recordId }) => recordId);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(store.records.map(({ payload }) => payload?.input)).toEqual(ids.map((_id, index) => index));
    await log.close();
    expect(decisions).toHaveLength(3);
  });
});
