import { afterEach, describe, expect, it } from "vitest";
import { consoleLogger } from "../../packages/core/src/base/faults.js";
import {
  createEvaluator,
  type DecisionRecord,
  defineDecision,
  withProfile,
} from "../../packages/core/src/index.js";
import {
  decisionLog,
  type RecordStore,
  type RecordWriter,
  type StoredQuery,
} from "../../packages/decision-log/src/index.js";
import { checkChains } from "../support/check-chains.js";
import { collect } from "../support/collect.js";
import { documentedFee, hashOf } from "../support/documented-fee.js";
import { keptOf, makeCall, oddCalls, topOf } from "../support/odd-calls.js";
import { type RecordWishes, Sealer, testProfileHash, testProfiles } from "../support/sealed-records.js";
import { anything, probe } from "./suite-decisions.js";

/** A store for one test, and what a test does behind its back. */
export interface StoreUnderTest {
  readonly store: RecordStore;
  /** Another store over the same place, as another process has it. */
  another(): RecordStore;
  /** Everything that is stored, as text. */
  readAll(): Promise<string>;
  /** Replaces text in one record where it is stored. */
  replaceText(recordId: string, from: string, to: string): Promise<void>;
  /** Takes a record out of its chain. */
  removeRecord(recordId: string): Promise<void>;
  /** Frees everything except for the stores, which the suite closes. */
  dispose(): Promise<void>;
}

const host = { logger: { ...consoleLogger, warn: () => {}, info: () => {} } };
const start = Date.UTC(2026, 2, 3, 9);

/**
 * Tests that every store of records must pass.
 *
 * @param name - of the store
 * @param make - makes an empty store for one test
 */
export function recordStoreSuite(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store of records`, () => {
    const cleanUps: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    });

    async function setUp(): Promise<StoreUnderTest & { readonly all: () => Promise<DecisionRecord[]> }> {
      const made = await make();
      cleanUps.push(
        () => made.dispose(),
        () => made.store.close(),
      );
      return {
        ...made,
        another: () => {
          const other = made.another();
          cleanUps.push(() => other.close());
          return other;
        },
        all: () => collect(made.store.find({})),
      };
    }

    it("has nothing before the first record", async () => {
      const { store, all } = await setUp();
      expect((await store.open(host)).head).toBeNull();
      expect(await all()).toEqual([]);
      expect(await store.profile(testProfileHash)).toBeUndefined();
      expect(await store.erase(["sha256:nobody"])).toBe(0);
      expect(await store.stats()).toMatchObject({ records: 0, withoutPayload: 0 });
      expect(await checkChains(store)).toMatchObject({ records: 0, problems: [] });
    });

    it("returns what was written, in order, and every profile", async () => {
      const { store, all } = await setUp();
      const writer = await store.open(host);
      const written = await write(writer, wishes(25), 10);
      expect(await all()).toEqual(written);
      expect(writer.head).toBe(written.at(-1)?.hash);
      expect(await store.profile(testProfileHash)).toEqual({ limit: 10 });
      expect(await checkChains(store)).toEqual({ records: 25, chains: 1, problems: [] });
    });

    it("keeps what a decision was made from once, apart from a profile with the same text", async () => {
      const document = { any: 7, light: 5 };
      const fee = documentedFee(document);
      const { store, another, all } = await setUp();
      const log = decisionLog({ store, logger: host.logger });
      const evaluator = createEvaluator({ log, logger: false });
      for (const weight of [1, 20, 30]) await evaluator.evaluate(fee, { input: { weight } });
      const reader = decisionLog({ store: another(), logger: host.logger });
      await log.flush();
      const contentHash = hashOf(document);
      expect((await all()).map((record) => record.contentHash)).toEqual([
        contentHash,
        contentHash,
        contentHash,
      ]);
      const content = { hash: contentHash, mediaType: "application/vnd.test.fee+json", document };
      expect(await reader.content(contentHash)).toEqual(content);
      expect(await reader.profile(contentHash)).toBeUndefined();
      expect(await reader.content(hashOf({ any: 7 }))).toBeUndefined();
      const profileHash = (await all())[0]?.profileHash ?? "";
      expect(await reader.content(profileHash)).toBeUndefined();
      expect(await log.verify()).toMatchObject({ ok: true, problems: [] });

      const under = { inputSchema: anything, outputSchema: anything, profileSchema: anything };
      const rules = [{ id: "all", when: () => true, emit: () => 1 }];
      const ruled = defineDecision({ id: "ruled", version: "1.0.0", ...under, rules });
      await evaluator.evaluate(withProfile(ruled, document), { input: 1 });
      await log.flush();
      expect(await reader.profile(contentHash)).toEqual(document);
      expect(await reader.content(contentHash)).toEqual(content);
      expect(await log.verify()).toMatchObject({ ok: true, problems: [] });
      await log.close();
    });

    it("finds by every condition, and by several, what a plain filter finds", async () => {
      const { store } = await setUp();
      const written = await write(await store.open(host), wishes(200), 33);
      const random = randomNumbers(7);
      for (let run = 0; run < 150; run += 1) {
        const query = randomQuery(written, random);
        const found = await collect(store.find(query));
        expect(idsOf(found), JSON.stringify(query)).toEqual(idsOf(plainFilter(written, query)));
      }
    });

    it("keeps text that looks like a condition apart from what it looks like", async () => {
      const { store } = await setUp();
      const text = '"status":"ERROR","subject":"sha256:x",\n\u2028"recordId":"y"}';
      const nested = {
        status: "ERROR",
        subject: "sha256:x",
        caller: "eve",
        payload: { salt: "x" },
        payloadHash: "y",
      };
      const [record] = await write(
        await store.open(host),
        [{ caller: text, payload: { input: { text, nested }, result: nested } }],
        1,
      );
      for (const query of [
        { status: "ERROR" },
        { subjects: ["sha256:x"] },
        { recordId: "y" },
        { caller: "eve" },
      ] as const) {
        expect(await collect(store.find(query)), JSON.stringify(query)).toEqual([]);
      }
      expect(await store.erase(["sha256:x"])).toBe(0);
      expect(await collect(store.find({ caller: text }))).toEqual([record]);
    });

    it("erases a person, and leaves everything else", async () => {
      const { store, all, readAll } = await setUp();
      const writer = await store.open(host);
      const given = wishes(30).map((wish, index) => ({
        ...wish,
        subject: index % 3 === 0 ? "sha256:ada" : "sha256:bob",
        payload: { input: { name: index % 3 === 0 ? "Ada Löwe" : "Bob" } },
      }));
      const written = await write(writer, given, 7);
      expect(await readAll()).toContain("Ada L");
      expect(await store.erase(["sha256:other", "sha256:ada"])).toBe(10);
      expect(await readAll()).not.toMatch(/Ada L/);
      for (const { subject, payload } of written) {
        if (subject === "sha256:ada") expect(await readAll()).not.toContain(payload?.salt);
      }
      const expected = written.map((record) =>
        record.subject === "sha256:ada" ? { ...record, payload: null } : record,
      );
      expect(await all()).toEqual(expected);
      expect(await collect(store.find({ subjects: ["sha256:ada"] }))).toHaveLength(10);
      expect(await checkChains(store)).toEqual({ records: 30, chains: 1, problems: [] });
      expect(await store.stats()).toMatchObject({ records: 30, withoutPayload: 10 });
      expect(await store.erase(["sha256:ada"])).toBe(0);
      // What is missing was erased, and the log says so.
      expect((await verify(store)).problems).toEqual([]);
      const erasures: string[] = [];
      for await (const { records } of store.erasures())
        for await (const { text } of records) erasures.push(text);
      expect(erasures).toHaveLength(1);
      expect(JSON.parse(erasures[0] ?? "")).toMatchObject({
        erasure: { erasedAt: expect.any(String), records: 10, subject: "sha256:ada" },
      });
      // The writer goes on with the chain.
      await write(writer, wishes(3), 1);
      expect(await checkChains(store)).toEqual({ records: 33, chains: 1, problems: [] });
    });

    it("notes erasures of several processes at once in one chain, also while it is checked", async () => {
      const { store, another } = await setUp();
      const people = Array.from({ length: 12 }, (_, index) => `sha256:person-${index}`);
      const given = people.flatMap((subject) => [{ subject }, { subject }, { subject }]);
      await write(await store.open(host), given, 36);
      const stores = [store, another(), another()];
      const erasing = Promise.all(
        people.map((subject, index) => (stores[index % 3] ?? store).erase([subject, "sha256:nobody"])),
      );
      let isErasing = true;
      void erasing.finally(() => {
        isErasing = false;
      });
      do expect((await verify(store)).problems).toEqual([]);
      while (isErasing);
      expect(await erasing).toEqual(people.map(() => 3));
      expect(await verify(another())).toMatchObject({
        problems: [],
        chains: [{ records: 36, withoutPayload: 36 }],
        erasures: [{ records: 12 }],
      });
    });

    it("counts", async () => {
      const { store } = await setUp();
      const given = wishes(40).map((wish, index) => (index === 5 ? { ...wish, payload: null } : wish));
      const written = await write(await store.open(host), given, 40);
      const times = written.map(({ recordedAt }) => recordedAt).sort();
      const stats = await store.stats();
      expect(stats).toMatchObject({ records: 40, withoutPayload: 1 });
      expect(stats.oldest?.toISOString()).toBe(times[0]);
      expect(stats.newest?.toISOString()).toBe(times.at(-1));
      expect(stats.bytes).toBeGreaterThan(40 * 300);
    });

    it.each(["payload", "rule", "removed"] as const)("shows what was tampered with: %s", async (what) => {
      const { store, replaceText, removeRecord } = await setUp();
      const given = wishes(12).map((wish) => ({
        ...wish,
        matchedRule: "good",
        payload: { input: { amount: 77 } },
      }));
      const written = await write(await store.open(host), given, 5);
      const [, , , , target, next] = written;
      if (target === undefined || next === undefined) throw new Error("too few records");
      if (what === "payload") await replaceText(target.recordId, '"amount":77', '"amount":78');
      if (what === "rule") await replaceText(target.recordId, '"matchedRule":"good"', '"matchedRule":"evil"');
      if (what === "removed") await removeRecord(target.recordId);
      const { problems } = await checkChains(store);
      const named = what === "removed" ? next : target;
      expect(problems.map(({ recordId }) => recordId)).toEqual([named.recordId]);
    });

    it("is opened again after a failure, and goes on with its chain", async () => {
      const { store, all } = await setUp();
      const first = await store.open(host);
      const written = await write(first, wishes(4), 4);
      await first.close();
      const second = await store.open(host);
      expect(second.head).toBe(first.head);
      written.push(...(await write(second, wishes(4), 2)));
      expect(await all()).toEqual(written);
      expect(await checkChains(store)).toEqual({ records: 8, chains: 1, problems: [] });
    });

    it("has everything after a restart", async () => {
      const { store, another } = await setUp();
      const written = await write(await store.open(host), wishes(6), 4);
      await store.close();
      const later = another();
      expect(await collect(later.find({}))).toEqual(written);
      written.push(...(await write(await later.open(host), wishes(6), 4)));
      expect(new Set(idsOf(await collect(later.find({}))))).toEqual(new Set(idsOf(written)));
      expect(await checkChains(later)).toMatchObject({ records: 12, problems: [] });
    });

    it("is written by two at once, each its own chain", async () => {
      const { store, another, all } = await setUp();
      const writers = await Promise.all([store.open(host), another().open(host)]);
      const written = await Promise.all(writers.map((writer) => write(writer, wishes(60), 3)));
      expect(new Set(idsOf(await all()))).toEqual(new Set(idsOf(written.flat())));
      expect(await checkChains(store)).toEqual({ records: 120, chains: 2, problems: [] });
      expect(await store.erase(["sha256:person-1"])).toBeGreaterThan(0);
      await Promise.all(writers.map((writer) => write(writer, wishes(6), 3)));
      expect(await checkChains(another())).toEqual({ records: 132, chains: 2, problems: [] });
    });

    it("is read while it is written", async () => {
      const { store, all } = await setUp();
      const writer = await store.open(host);
      let isWriting = true;
      const writing = write(writer, wishes(400), 2).finally(() => {
        isWriting = false;
      });
      let before = 0;
      do {
        const found = await all();
        const { records, problems } = await checkChains(store);
        expect(problems).toEqual([]);
        expect(records).toBeGreaterThanOrEqual(found.length);
        expect(found.length).toBeGreaterThanOrEqual(before);
        before = found.length;
      } while (isWriting);
      expect(await all()).toEqual(await writing);
    });

    it("serves a real decision log: records, finds, erases, verifies", async () => {
      const { store, readAll } = await setUp();
      const { logger } = host;
      const log = decisionLog<readonly [typeof probe]>({
        store,
        subject: { key: "a key for tests only", of: { probe: (input) => input.case } },
        logger,
      });
      cleanUps.push(() => log.close());
      const evaluator = createEvaluator({ log, logger });
      for (let index = 0; index < 50; index += 1) {
        const call = { input: { case: `person ${index % 5}` }, requestId: `request-${index}` };
        await evaluator.evaluate(probe, { ...call, profile: {} });
      }
      await log.flush();
      expect(await collect(log.find({ decision: "probe" }))).toHaveLength(50);
      const [record, ...others] = await collect(
        log.find({ subject: "person 3", newestFirst: true, limit: 2 }),
      );
      expect(others).toHaveLength(1);
      expect(record?.payload?.input).toEqual({ case: "person 3" });
      expect(await readAll()).toContain("person 3");
      expect(await log.erase({ subject: "person 3" })).toEqual({ records: 10 });
      expect(await readAll()).not.toContain("person 3");
      expect(await log.verify()).toMatchObject({ ok: true, records: 50, problems: [] });
      expect(await log.stats()).toMatchObject({ records: 50, withoutPayload: 10 });
      expect((await checkChains(store)).problems).toEqual([]);
    });

    it("has what it was given, however deep and odd, and all of it verifies", async () => {
      const { store } = await setUp();
      const log = decisionLog({ store, logger: host.logger });
      cleanUps.push(() => log.close());
      const ids: string[] = [];
      for (const call of oddCalls) ids.push(await makeCall(log, call));
      await log.flush();
      expect(await log.verify()).toMatchObject({ records: oddCalls.length, problems: [], ok: true });
      const found = new Map((await collect(log.find())).map((record) => [record.requestId, record]));
      for (const [index, { place, value }] of oddCalls.entries()) {
        const record = found.get(ids[index] ?? "");
        if (record === undefined) throw new Error(`no record of call ${index}`);
        const kept = await keptOf(log, record, place);
        // A log keeps 500 levels of each member of a payload, and the value may be within one.
        const isShallow = topOf(value, 497) === topOf(value);
        const levels = isShallow ? undefined : 497;
        expect(topOf(kept, levels), `call ${index}: ${place}`).toBe(topOf(value, levels));
        if (isShallow) expect(record.masked).toEqual([]);
      }
    });

    it("stops to read when its caller does", async () => {
      const { store } = await setUp();
      const written = await write(await store.open(host), wishes(50), 50);
      for await (const record of store.find({})) {
        expect(record).toEqual(written[0]);
        break;
      }
      // Nothing is left open that would block this.
      await store.close();
    });
  });
}

function verify(store: RecordStore) {
  return decisionLog({ store, logger: host.logger }).verify();
}

/** Writes records in batches of a size. */
async function write(
  writer: RecordWriter,
  given: readonly RecordWishes[],
  size: number,
): Promise<DecisionRecord[]> {
  const sealer = new Sealer(writer.head);
  const made = given.map((wish) => sealer.seal(wish));
  for (let from = 0; from < made.length; from += size) {
    const records = made.slice(from, from + size).map(({ sealed }) => sealed);
    await writer.write({ records, kept: testProfiles });
  }
  return made.map(({ record }) => record);
}

/** Records that differ in everything one can look for, over three days; not quite in the order of their instants. */
function wishes(count: number): readonly RecordWishes[] {
  const statuses = ["OK", "OK", "NO_MATCH", "INVALID_INPUT", "ERROR"] as const;
  return Array.from({ length: count }, (_, index) => ({
    recordedAtMs: start + Math.floor((index * 2.5 * 86_400_000) / count) - (index % 4) * 1000,
    caller: `caller "${index % 6}" é`,
    decision: { id: index % 2 === 0 ? "loan" : "access", version: `1.${index % 3}.0` },
    status: statuses[index % 5] ?? "OK",
    ...(index % 5 < 2 && { matchedRule: `rule-${index % 7}` }),
    ...(index % 4 !== 0 && { subject: `sha256:person-${index % 9}` }),
  }));
}

function randomQuery(records: readonly DecisionRecord[], random: () => number): StoredQuery {
  const one = records[Math.floor(random() * records.length)];
  const other = records[Math.floor(random() * records.length)];
  if (one === undefined || other === undefined) throw new Error("no records");
  const some = <Value>(share: number, value: Value): Value | undefined =>
    random() < share ? value : undefined;
  return {
    from: some(0.3, new Date(Date.parse(other.recordedAt) - Math.floor(random() * 2) * 7_200_000)),
    to: some(0.3, new Date(Date.parse(one.recordedAt) + Math.floor(random() * 2))),
    decision: some(0.2, one.decision.id),
    version: some(0.2, one.decision.version),
    status: some(0.2, one.status),
    rule: some(0.2, one.matchedRule),
    requestId: some(0.05, one.requestId),
    recordId: some(0.05, one.recordId),
    caller: some(0.2, one.caller),
    subjects: some(0.2, [one.subject ?? "", other.subject ?? ""]),
    newestFirst: some(0.5, true),
    limit: some(0.4, 1 + Math.floor(random() * 20)),
  };
}

function plainFilter(records: readonly DecisionRecord[], query: StoredQuery): readonly DecisionRecord[] {
  const { from, to, subjects } = query;
  const isMet = (wanted: unknown, is: unknown): boolean => wanted === undefined || wanted === is;
  const found = records.filter(
    (record) =>
      (from === undefined || Date.parse(record.recordedAt) >= from.getTime()) &&
      (to === undefined || Date.parse(record.recordedAt) < to.getTime()) &&
      (subjects === undefined || subjects.includes(record.subject ?? "none")) &&
      isMet(query.decision, record.decision.id) &&
      isMet(query.version, record.decision.version) &&
      isMet(query.status, record.status) &&
      isMet(query.rule, record.matchedRule) &&
      isMet(query.requestId, record.requestId) &&
      isMet(query.recordId, record.recordId) &&
      isMet(query.caller, record.caller),
  );
  if (query.newestFirst === true) {
    found.reverse().sort((a, b) => Date.parse(b.recordedAt) - Date.parse(a.recordedAt));
  }
  return found.slice(0, query.limit);
}

function idsOf(records: readonly DecisionRecord[]): readonly string[] {
  return records.map(({ recordId }) => recordId);
}

/** The same numbers from 0 to 1 for a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
