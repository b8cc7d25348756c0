import type { DecisionRecord } from "@decern/core";
import { expect, it } from "vitest";
import { RecordLines } from "../../src/records/show-records.js";

const hash = `sha256:${"0".repeat(64)}`;
const record: DecisionRecord = {
  recordVersion: 1,
  recordId: "019a7b31-8f00-7cc2-9f2c-5c1d8a0b3e11",
  recordedAt: "2026-03-03T12:00:00.000Z",
  requestId: "request",
  decision: { id: "entry", version: "1" },
  profileHash: hash,
  selectedBy: "default",
  status: "OK",
  durationSeconds: 0,
  sampleRate: 1,
  masked: ["/profile"],
  payload: { salt: "salt", input: {} },
  payloadHash: hash,
  previousHash: null,
  hash,
};

const noLog = { profile: async () => undefined, content: async () => undefined };

it("writes what decisions were made from before the first of its records, also for one that was used", async () => {
  const document = { rows: [] };
  const mediaType = "application/json";
  const content = async (asked: string) => ({ hash: asked, mediaType, document });
  const lines = new RecordLines({ ...noLog, content }, true);
  const used = [{ id: "fee", version: "1", profileHash: hash, contentHash: "sha256:fee", result: {} }];
  const tables: DecisionRecord = { ...record, contentHash: hash, payload: { salt: "salt", input: {}, used } };
  const written = `${await lines.write(tables)}${await lines.write(tables)}`;
  expect(
    written
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { recordVersion: 1, contentHash: hash, content: document, mediaType },
    { recordVersion: 1, contentHash: "sha256:fee", content: document, mediaType },
    tables,
    tables,
  ]);
});

it("writes a caller's profile that a log keeps apart before the first of its records", async () => {
  const lines = new RecordLines(
    { ...noLog, profile: async (asked) => (asked === hash ? { limit: 1 } : undefined) },
    true,
  );
  const written = `${await lines.write(record)}${await lines.write(record)}`;
  const [first, ...others] = written.trimEnd().split("\n");
  expect(JSON.parse(first ?? "")).toEqual({ recordVersion: 1, profileHash: hash, profile: { limit: 1 } });
  expect(others.map((line) => JSON.parse(line))).toEqual([record, record]);
});
