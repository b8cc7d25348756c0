import type { DecisionRecord, RecordPayload } from "@decern/core";
import { expect, it, vi } from "vitest";
import { mergeRecords } from "../../src/records/joined-store.js";
import { RecordLines } from "../../src/records/show-records.js";
import { jsonLines } from "./support.js";

const record = (facts: Partial<DecisionRecord>): DecisionRecord => ({
  recordVersion: 1,
  recordId: "019a7b31-8f00-7cc2-9f2c-5c1d8a0b3e11",
  recordedAt: "2026-03-01T00:00:00.000Z",
  requestId: "request",
  decision: { id: "loan", version: "1.0.0" },
  profileHash: "sha256:host",
  selectedBy: "default",
  status: "OK",
  durationSeconds: 0.001,
  sampleRate: 1,
  masked: [],
  payload: { salt: "AAAA" },
  payloadHash: "sha256:payload",
  previousHash: null,
  hash: "sha256:record",
  ...facts,
});
const payload = (facts: Partial<RecordPayload>): RecordPayload => ({ salt: "AAAA", ...facts });

it("writes each profile of the host once, before the first record that uses it, those of used decisions included", async () => {
  const profile = vi.fn(async (hash: string) => ({ of: hash }));
  const lines = new RecordLines({ profile, content: async () => undefined }, true);
  const used = [
    {
      id: "score",
      version: "1.0.0",
      profileHash: "sha256:score",
      result: {},
      used: [{ id: "region", version: "1.0.0", profileHash: "sha256:region", result: {} }],
    },
  ];
  const first = jsonLines(await lines.write(record({ payload: payload({ used }) })));
  expect(first.map((line) => line["profileHash"])).toEqual([
    "sha256:host",
    "sha256:score",
    "sha256:region",
    "sha256:host",
  ]);
  expect(first[1]).toEqual({
    recordVersion: 1,
    profileHash: "sha256:score",
    profile: { of: "sha256:score" },
  });
  expect(jsonLines(await lines.write(record({ payload: payload({ used }) })))).toHaveLength(1);
  expect(profile).toHaveBeenCalledTimes(3);
});

it.each([
  ["is the caller's own", { payload: payload({ profile: { small: 1 } }) }],
  ["is masked with everything else", { masked: [""] }],
  ["went with the payload", { payload: null }],
])("looks for no profile that %s", async (_what, facts) => {
  const profile = vi.fn();
  const text = await new RecordLines({ profile, content: async () => undefined }, true).write(record(facts));
  expect(jsonLines(text)).toEqual([record(facts)]);
  expect(profile).not.toHaveBeenCalled();
});

it.each([
  ["the host's", {}],
  ["the caller's own, and masked or kept apart", { masked: ["/profile"] }],
])("leaves a profile out that nobody has: %s", async (_whose, facts) => {
  const lines = new RecordLines({ profile: async () => undefined, content: async () => undefined }, true);
  expect(jsonLines(await lines.write(record(facts)))).toEqual([record(facts)]);
});

const at = (...minutes: readonly number[]): DecisionRecord[] =>
  minutes.map((minute) => record({ recordedAt: new Date(minute * 60_000).toISOString() }));

const minutesOf = async (records: AsyncIterable<DecisionRecord>): Promise<readonly number[]> => {
  const minutes: number[] = [];
  for await (const { recordedAt } of records) minutes.push(Date.parse(recordedAt) / 60_000);
  return minutes;
};

it("merges streams by time, and closes those that it does not read to the end", async () => {
  const ended: string[] = [];
  async function* stream(
    name: string,
    records: readonly DecisionRecord[],
  ): AsyncGenerator<DecisionRecord, void> {
    try {
      yield* records;
    } finally {
      ended.push(name);
    }
  }
  const streams = () => [stream("a", at(1, 4, 9)), stream("b", []), stream("c", at(2, 3, 10, 11))];
  expect(await minutesOf(mergeRecords(streams(), {}))).toEqual([1, 2, 3, 4, 9, 10, 11]);
  expect(ended.sort()).toEqual(["a", "b", "c"]);
  ended.length = 0;
  expect(await minutesOf(mergeRecords(streams(), { limit: 2 }))).toEqual([1, 2]);
  expect(ended.sort()).toEqual(["a", "b", "c"]);
  const backwards = [stream("a", at(9, 4, 1)), stream("c", at(11, 10, 3, 2))];
  expect(await minutesOf(mergeRecords(backwards, { newestFirst: true, limit: 5 }))).toEqual([
    11, 10, 9, 4, 3,
  ]);
});
