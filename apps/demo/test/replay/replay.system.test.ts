import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Decision, type DecisionRecord, evaluate, withProfile } from "@decern/core";
import { type Candidate, type ReplaySource, replay } from "@decern/replay";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  defaultDecisions as decisions,
  profiles as demoProfiles,
  loanApproval2,
} from "../../src/decisions/index.js";
import type { Call } from "./generated-calls.js";
import { mutants } from "./mutants.js";
import { instant, Lines, type Recorded, record } from "./recorded-calls.js";

/** How many records there are at least. */
const total = Number(process.env["REPLAY_RECORDS"] ?? 10_000);
const amounts = { ordinary: total * 0.84, masked: total * 0.1, shadowed: total * 0.1 };
const folder = mkdtempSync(join(tmpdir(), "decern-replay-"));
const made = mutants();
let recorded: Recorded;
/** Every record of an answer as a line of text, by the id of its decision. */
const lines = new Map<string, string[]>();
/** Ids of all of them, by request. */
const recordIds = new Map<string, string>();
/** Requests whose records lack what rules read. */
const blind = new Set<string>();

beforeAll(async () => {
  const profiles = { ...demoProfiles };
  recorded = await record(folder, decisions, profiles, loanApproval2, amounts);
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".ndjson"))) {
    for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
      const entry = line === "" ? {} : JSON.parse(line);
      if (entry.recordId === undefined || entry.selectedBy === "shadow") continue;
      const list = lines.get(entry.decision.id) ?? [];
      list.push(line);
      lines.set(entry.decision.id, list);
      recordIds.set(entry.requestId, entry.recordId);
      if (entry.masked.some((pointer: string) => pointer !== "/input/customer")) blind.add(entry.requestId);
    }
  }
});

afterAll(async () => {
  await recorded?.log.close();
  rmSync(folder, { recursive: true });
  made.remove();
});

/** Record ids by what became of them. */
async function replayed(
  source: ReplaySource,
  candidate: Candidate,
): Promise<{
  readonly changed: Set<string>;
  readonly inconclusive: Set<string>;
  readonly unchanged: number;
}> {
  const changed = new Set<string>();
  const inconclusive = new Set<string>();
  const report = await replay(source, candidate, {
    onDifference({ record, verdict }) {
      (verdict === "inconclusive" ? inconclusive : changed).add(record.recordId);
    },
  });
  expect(report.counts).toMatchObject({ notReproducible: 0, failed: 0, skipped: 0 });
  return { changed, inconclusive, unchanged: report.counts.unchanged };
}

/** What a caller would compare, evaluated without any replay. */
function answering(decision: Decision | undefined, profile: unknown): (call: Call) => unknown {
  if (decision === undefined) throw new Error("no such decision");
  const bound = withProfile<unknown, unknown, unknown, string, readonly Decision[]>(decision, profile);
  return ({ input, profile: own, requestId }) => {
    const result = evaluate(bound, input, own, { now: instant, requestId });
    return result.status === "OK" ? [result.status, result.meta.matchedRule, result.data] : [result.status];
  };
}

/** Ids of the records of a decision whose calls are answered otherwise, by evaluating both and comparing. */
function differing(
  id: string,
  before: readonly unknown[],
  decision: Decision | undefined,
  profile: unknown,
): Set<string> {
  const answer = answering(decision, profile);
  const ids = new Set<string>();
  for (const [index, call] of callsOf(id).entries())
    if (!isDeepStrictEqual(before[index], answer(call))) ids.add(recordIds.get(call.requestId) ?? "");
  return ids;
}

/** The calls of a decision that are on record. */
function callsOf(id: string): readonly Call[] {
  const known = calls.get(id);
  if (known !== undefined) return known;
  const list = [...recorded.calls.values()].filter((call) => call.id === id && recordIds.has(call.requestId));
  calls.set(id, list);
  return list;
}

const calls = new Map<string, readonly Call[]>();
const answers = new Map<string, readonly unknown[]>();

function answersBefore(id: string): readonly unknown[] {
  const known = answers.get(id);
  if (known !== undefined) return known;
  const decision = decisions.find((one) => one.id === id);
  const list = callsOf(id).map(answering(decision, profileOf(demoProfiles, id)));
  answers.set(id, list);
  return list;
}

function profileOf(profiles: object, id: string): unknown {
  return Reflect.get(profiles, id);
}

/** Replays the records of one decision, and holds what is reported against an independent comparison. */
async function check(id: string, candidate: Candidate): Promise<number> {
  const source = new Lines(lines.get(id) ?? [], recorded.log);
  const found = await replayed(source, candidate);
  const decision = candidate.decisions.find((one) => one.id === id);
  const expected = differing(id, answersBefore(id), decision, profileOf(candidate.profiles ?? {}, id));
  const blindIds = new Set([...blind].map((requestId) => recordIds.get(requestId)));
  const seen = (ids: Set<string>): string[] => [...ids].filter((one) => !blindIds.has(one)).sort();
  // Of what is masked nothing is guessed: what is reported as changed has changed, and what has changed may stay open.
  expect([...found.changed].filter((one) => !expected.has(one))).toEqual([]);
  expect([...expected].filter((one) => !found.changed.has(one) && !found.inconclusive.has(one))).toEqual([]);
  expect(seen(found.changed)).toEqual(seen(expected));
  expect(seen(found.inconclusive)).toEqual([]);
  return expected.size;
}

/** How many records each mutant changes. */
const biting: number[] = [];

describe("records of the demo's decisions", () => {
  test("the same revision changes none of them", async () => {
    const report = await replay(recorded.log, { decisions, profiles: demoProfiles });
    expect(report.records).toBeGreaterThanOrEqual(total);
    expect(report.counts).toMatchObject({ changed: 0, failed: 0, notReproducible: 0, skipped: 0 });
    expect(report.counts.unchanged).toBeGreaterThan(total * 0.85);
    // Rules need what some of these records lack.
    expect(report.counts.inconclusive).toBeGreaterThan(total / 1000);
    expect(report).toMatchObject({ isWithin: false, share: 0 });
    const candidate = { decisions, profiles: demoProfiles };
    const allowing = await replay(recorded.log, candidate, { maxInconclusive: report.inconclusiveShare });
    expect(allowing).toMatchObject({ isWithin: true, share: 0 });
    const sampled = report.decisions.find(({ decisionId }) => decisionId === "document-access");
    expect(sampled?.estimated.unchanged).toBeGreaterThan(sampled?.counts.unchanged ?? 0);
  });

  test("with a copy of itself as baseline, each has a control run", async () => {
    const candidate = { decisions, profiles: demoProfiles };
    const report = await replay(recorded.log, candidate, { baseline: await made.original() });
    expect(report.counts).toMatchObject({ changed: 0, failed: 0, notReproducible: 0, skipped: 0 });
    expect(report.controlled).toBe(report.counts.unchanged);
  });

  test("what a shadow recorded is the same difference that evaluating both shows", async () => {
    const report = await replay(recorded.log, { decisions, profiles: demoProfiles });
    const [shadow, ...others] = report.shadows;
    expect(others).toEqual([]);
    const profile = profileOf(demoProfiles, "loan-approval");
    const shadowed = callsOf("loan-approval").filter(({ requestId }) => requestId.startsWith("shadowed"));
    const before = answering(decisions[0], profile);
    const after = answering(loanApproval2, profile);
    const expected = shadowed.filter((call) => !isDeepStrictEqual(before(call), after(call)));
    expect(shadow?.counts.changed).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(100);
    expect(shadow?.counts).toMatchObject({
      unchanged: shadowed.length - expected.length,
      failed: 0,
      inconclusive: 0,
    });
    expect(shadow?.unpaired).toBe(0);
  });

  describe("for every threshold that is off by one, reports exactly the records that differ", () => {
    test.each(made.list)("$name", async ({ ids, load }) => {
      const mutated = await load();
      let count = 0;
      for (const id of ids)
        count += await check(id, {
          decisions: mutated.filter((one) => one.id === id),
          profiles: pickProfiles(id, demoProfiles),
        });
      biting.push(count);
    });
  });

  test.each([
    ["loan-approval", { minScore: 619 }],
    ["loan-approval", { minScore: 621 }],
    ["loan-approval", { maxAmount: 74_999 }],
    ["loan-approval", { maxAmount: 75_001 }],
    ["loan-approval", { maxDti: 0.41 }],
    ["transaction-risk", { highAmount: 999 }],
    ["transaction-risk", { highAmount: 1_001 }],
    ["loan-approval", { maxDti: 0.39 }],
    ["transaction-risk", { maxPaymentsPerHour: 9 }],
    ["transaction-risk", { maxPaymentsPerHour: 11 }],
    ["transaction-risk", { challengeScore: 39 }],
    ["transaction-risk", { challengeScore: 41 }],
    ["transaction-risk", { declineScore: 74 }],
    ["transaction-risk", { declineScore: 76 }],
    ["instalment-plan", { minDepositShare: 0.09 }],
    ["instalment-plan", { minDepositShare: 0.11 }],
    ["instalment-plan", { interestFreeMonths: 11 }],
    ["instalment-plan", { interestFreeMonths: 13 }],
  ])("a profile of %s with %o: the records that differ", async (id, change) => {
    const profile: unknown = { ...Object(profileOf(demoProfiles, id)), ...change };
    const candidate: Candidate = {
      decisions: decisions.filter((one) => one.id === id),
      profiles: { ...pickProfiles(id, demoProfiles), [id]: profile },
    };
    biting.push(await check(id, candidate));
  });

  test("there were at least 100 mutants, and nearly all of them change something", () => {
    expect(biting.length).toBeGreaterThanOrEqual(100);
    expect(biting.filter((count) => count > 0).length).toBeGreaterThan(biting.length * 0.9);
  });

  test("memory does not grow with the number of records", async () => {
    const line = lines.get("transaction-risk") ?? [];
    const candidate: Candidate = { decisions, profiles: demoProfiles };
    const heapAfter = async (times: number): Promise<number> => {
      const source: ReplaySource = {
        async *find(): AsyncGenerator<DecisionRecord> {
          for (let time = 0; time < times; time += 1)
            for (const [index, one] of line.entries())
              yield { ...JSON.parse(one), recordId: `${time}-${index}`, requestId: `${time}-${index}` };
        },
        profile: (hash) => recorded.log.profile(hash),
      };
      let most = 0;
      await replay(source, candidate, {
        onProgress(records) {
          if (records % 2048 !== 0) return;
          globalThis.gc?.();
          most = Math.max(most, process.memoryUsage().heapUsed);
        },
      });
      return most;
    };
    await heapAfter(1);
    const once = await heapAfter(1);
    const often = await heapAfter(6);
    expect(often).toBeLessThan(once + 16 * 1024 * 1024);
  });
});

/** The profiles that a candidate with only one decision takes. */
function pickProfiles(id: string, profiles: object): Record<string, unknown> {
  const used = id === "instalment-plan" ? ["loan-approval", "transaction-risk"] : [];
  return Object.fromEntries([id, ...used].map((name) => [name, profileOf(profiles, name)]));
}
