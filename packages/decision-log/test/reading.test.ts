import { createHmac } from "node:crypto";
import type { DecisionRecord, RecordQuery } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nested } from "../../../test/support/odd-calls.js";
import { Sealer } from "../../../test/support/sealed-records.js";
import { decisionLog } from "../src/index.js";
import { Subjects } from "../src/record/subjects.js";
import { greeting } from "./support/decisions.js";
import { schemaErrors } from "./support/judge-records.js";
import { setUp } from "./support/set-up.js";

const oldKey = "the key of last year";
const newKey = Buffer.from(
  "the key of this year, which is longer than a block of the hash, that is 64 bytes",
);
const of = {
  greeting: (input: unknown) =>
    Object(input) === input ? `${Reflect.get(Object(input), "name")}` : undefined,
};

async function collect(records: AsyncIterable<DecisionRecord>): Promise<readonly DecisionRecord[]> {
  const list: DecisionRecord[] = [];
  for await (const record of records) list.push(record);
  return list;
}

describe("subjects", () => {
  it("are written as Node's HMAC writes them", () => {
    const keyed = fc.tuple(fc.uint8Array({ minLength: 16, maxLength: 200 }), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(keyed, ([key, person]) => {
        const expected = `sha256:${createHmac("sha256", key).update(person).digest("hex")}`;
        const subjects = new Subjects([key]);
        expect(subjects.write(person)).toBe(expected);
        expect(subjects.all(person)).toEqual([expected]);
      }),
    );
  });

  it("are found and erased under old keys too, and the chain stays whole", async () => {
    const before = setUp({ subject: { key: oldKey, of } });
    await before.evaluator.evaluate(greeting, { input: { name: "Ann" } });
    await before.evaluator.evaluate(greeting, { input: { name: "Bo" } });
    await before.log.close();
    const { store } = before;
    const { log, evaluator, logger } = setUp({ store, subject: { key: [newKey, oldKey], of } });
    await evaluator.evaluate(greeting, { input: { name: "Ann" } });
    const find = (query: RecordQuery) => collect(log.find(query));
    const found = await find({ subject: "Ann" });
    expect(found.map(({ payload }) => payload?.input)).toEqual([{ name: "Ann" }, { name: "Ann" }]);
    expect(new Set(found.map(({ subject }) => subject)).size).toBe(2);
    await evaluator.evaluate(greeting, { input: { name: "Ann" } });
    // Also those that were not written yet.
    expect(await log.erase({ subject: "Ann" })).toEqual({ records: 3 });
    expect(store.lines.join()).not.toContain("Ann");
    expect((await find({ subject: "Bo" })).map(({ payload }) => payload?.input)).toEqual([{ name: "Bo" }]);
    expect(await log.verify()).toMatchObject({ ok: true, records: 4 });
    expect(await log.stats()).toMatchObject({ records: 4, withoutPayload: 3 });
    expect(JSON.stringify(logger.lines)).not.toContain("Ann");
    await log.close();
  });

  it("cannot be looked for where the log has no key", async () => {
    const { log } = setUp();
    await expect(log.erase({ subject: "Ann" })).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    await expect(collect(log.find({ subject: "Ann" }))).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    await log.close();
  });
});

describe("find", () => {
  it("finds a caller in process whose name has half a character, as records have it", async () => {
    const { log, evaluator } = setUp();
    const caller = "ad\ud800";
    await evaluator.evaluate(greeting, { input: { name: "Ann" }, caller });
    await log.flush();
    expect((await collect(log.find({ caller }))).map((record) => record.caller)).toEqual(["ad\ufffd"]);
    await log.close();
  });

  it("does not wait for a store that is down", async () => {
    const { store, log, evaluator } = setUp();
    await evaluator.evaluate(greeting, { input: { name: "Ann" } });
    store.down = new Error("down");
    expect(await collect(log.find())).toEqual([]);
    store.down = undefined;
    await log.flush();
    expect(await collect(log.find())).toHaveLength(1);
    await log.close();
  });
});

describe("verify", () => {
  async function written() {
    const { store, log, evaluator } = setUp({ build: "b1" });
    for (const name of ["Ann", "Bo", "Cy", "Di"]) await evaluator.evaluate(greeting, { input: { name } });
    await log.close();
    return store;
  }

  it("names the record of any byte that was changed", async () => {
    const store = await written();
    const log = decisionLog({ store });
    const line = store.lines[1] ?? "";
    for (let index = 0; index < line.length; index += 1) {
      const flipped = String.fromCharCode(line.charCodeAt(index) ^ 1);
      store.lines[1] = `${line.slice(0, index)}${flipped}${line.slice(index + 1)}`;
      const { ok, problems } = await log.verify();
      expect({ index, ok, at: problems[0]?.at }).toEqual({ index, ok: false, at: "line 2" });
    }
  });

  it("tells what is wrong: removed, moved, added, damaged, written twice", async () => {
    const store = await written();
    const log = decisionLog({ store });
    const [a = "", b = "", c = "", d = ""] = store.lines;
    const kinds = async (...lines: readonly string[]) => {
      store.lines.splice(0, store.lines.length, ...lines);
      const { problems } = await log.verify();
      return problems.map(({ at, kind }) => `${at}: ${kind}`);
    };
    expect(await kinds(a, b, c, d)).toEqual([]);
    expect(await kinds(b, c, d)).toEqual(["line 1: chain"]);
    expect(await kinds(a, c, d)).toEqual(["line 2: chain"]);
    expect(await kinds(a, c, b, d)).toEqual(["line 2: chain", "line 3: chain", "line 4: chain"]);
    expect(await kinds(a, b, b, c, d)).toEqual(["line 3: chain", "line 3: duplicate"]);
    expect(await kinds(a, "{}", c, d)).toEqual(["line 2: unreadable"]);
    expect(await kinds(a, "[1", c, d)).toEqual(["line 2: unreadable"]);
    expect(await kinds(a, b.replace('"b1"', '"b2"'), c, d)).toEqual(["line 2: hash"]);
    expect(await kinds(a, b.replace('{"name":"Bo"}', '{"name":"Al"}'), c, d)).toEqual(["line 2: payload"]);
    expect(await kinds(a, b.replace('"payload":{', '"payload":1,"payload":{'), c, d)).toEqual([
      "line 2: hash",
    ]);
  });

  it("reads deeper than any log writes, and says what is too deep even so", async () => {
    const { store, log } = setUp();
    const sealer = new Sealer();
    for (const levels of [499, 500, 505, 2000])
      store.lines.push(`${sealer.seal({ payload: { input: nested(levels) } }).sealed.bytes}`.trimEnd());
    await store.open();
    expect(await log.verify()).toMatchObject({ ok: true, records: 4 });
    const deep = `{"input":${"[".repeat(100_000)}${"]".repeat(100_000)},`;
    store.lines[1] = store.lines[1]?.replace(/\{"input":.*(?="salt")/, deep) ?? "";
    const { problems } = await log.verify();
    expect(problems.map(({ at, kind, message }) => [at, kind, message])).toEqual([
      ["line 2", "unreadable", "it is nested too deeply to be checked, or a text in it has half a character"],
    ]);
  });

  it("tells of each chain how far the given heads prove it, and which heads no record has", async () => {
    const store = await written();
    const log = decisionLog({ store });
    const [, second, , last] = store.records.map(({ hash }) => hash);
    const verified = async (...heads: readonly string[]) => {
      const { ok, chains, missingHeads } = await log.verify({ heads });
      return [ok, chains.map(({ upToHead }) => upToHead), missingHeads];
    };
    expect(await verified(second ?? "")).toEqual([true, [2], []]);
    expect(await verified(last ?? "", second ?? "")).toEqual([true, [4], []]);
    expect(await verified("sha256:other")).toEqual([false, [0], ["sha256:other"]]);
    expect(await verified()).toEqual([true, [undefined], []]);
  });

  it("counts what has no payload, and accepts those that were never written", async () => {
    const { store, log, evaluator } = setUp({
      subject: {
        key: oldKey,
        of: {
          greeting: () => {
            throw new Error("nobody");
          },
        },
      },
    });
    await evaluator.evaluate(greeting, { input: { name: "Ann" } });
    await log.flush();
    expect(store.lines.join()).toContain('"payload":null');
    expect(await log.verify()).toMatchObject({ ok: true, chains: [{ records: 1, withoutPayload: 1 }] });
    await log.close();
  });

  it("compares the missing payloads of a person with the erasures of that person", async () => {
    const { store, log, evaluator } = setUp({ subject: { key: oldKey, of } });
    for (const name of ["Ann", "Ann", "Bo"]) await evaluator.evaluate(greeting, { input: { name } });
    await log.erase({ subject: "Ann" });
    expect(await log.verify()).toMatchObject({ ok: true, erasures: [{ records: 2 }] });
    expect(store.erasureLines.flatMap(schemaErrors)).toEqual([]);
    const remove = (index: number) => {
      store.lines[index] = JSON.stringify({ ...JSON.parse(store.lines[index] ?? ""), payload: null });
    };
    remove(2);
    expect((await log.verify()).problems).toMatchObject([{ at: "line 3", kind: "erasure" }]);
    store.erasureLines.pop();
    const { problems } = await log.verify();
    expect(problems.map(({ at, kind }) => `${at}: ${kind}`)).toEqual(["line 2: erasure", "line 3: erasure"]);
    await log.close();
  });

  it("counts every problem, and describes the first hundred", async () => {
    const store = await written();
    const log = decisionLog({ store });
    store.lines.splice(0, 4, ...Array.from({ length: 250 }, () => "damaged"));
    const { problems, problemCount, ok } = await log.verify();
    expect({ length: problems.length, problemCount, ok }).toEqual({
      length: 100,
      problemCount: 250,
      ok: false,
    });
  });
});
