import { readFileSync } from "node:fs";
import { createEvaluator, type DecisionRecord } from "@decern/core";
import { readRecord } from "@decern/core/tools";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { decisionLog } from "../../src/index.js";
import { greeting } from "../support/decisions.js";
import { MemoryStore } from "../support/memory-store.js";
import { quietLogger } from "../support/recording-logger.js";

const schema = z
  .object({
    $defs: z.object({
      record: z.object({ required: z.array(z.string()), properties: z.record(z.string(), z.unknown()) }),
    }),
  })
  .parse(JSON.parse(readFileSync(new URL("../../schema/record.schema.json", import.meta.url), "utf8")));
const { required, properties } = schema.$defs.record;

describe("readRecord", () => {
  let record: DecisionRecord;

  beforeAll(async () => {
    const store = new MemoryStore();
    const log = decisionLog({ store, logger: quietLogger() });
    await createEvaluator({ log }).evaluate(greeting, { input: { name: "Ann" } });
    await log.close();
    record = JSON.parse(store.lines[0] ?? "");
  });

  it.each(required)("takes nothing for a record that lacks %s", (name) => {
    expect(readRecord(record)).toBe(record);
    const { [name]: _left, ...rest } = { ...record } as Record<string, unknown>;
    expect(readRecord(rest)).toEqual(expect.stringContaining(name));
  });

  it.each(Object.keys(properties))("takes nothing for a record whose %s is of another kind", (name) => {
    expect(readRecord({ ...record, [name]: true })).toEqual(expect.stringContaining(name));
  });

  it.each([
    [[null], true],
    [[{ id: "score", used: [null, {}] }], true],
    [{}, false],
    [null, false],
    [["score"], false],
    [[{ used: [{ used: 1 }] }], false],
  ])("takes %j for what was used: %s", (used, isRight) => {
    const using = { ...record, payload: { ...record.payload, used } };
    expect(readRecord(using)).toBe(isRight ? using : "payload.used must be a list of objects and nulls");
  });

  it("ends with what nests as deep as a file likes", () => {
    const levels = 200_000;
    const text = `${'{"used":['.repeat(levels)}${"]}".repeat(levels)}`;
    expect(readRecord({ ...record, payload: JSON.parse(text) })).toMatch(/^payload\.used/);
  });

  it.each([
    ["2026-11-28T20:25:59.123Z", true],
    ["2026-11-28T20:25:59Z", true],
    ["2026-11-28T20:25:59.123+02:00", true],
    ["2026-13-28T20:25:59.123Z", false],
    ["2026-00-28T20:25:59.123Z", false],
    ["2026-11-32T20:25:59.123Z", false],
    ["2026-11-00T20:25:59.123Z", false],
    ["2026-11-28T25:25:59.123Z", false],
    ["2026-11-28T20:60:59.123Z", false],
    ["2026-11-28T20:25:60.123Z", false],
    ["x2026-11-28T20:25:59.123Z", false],
    ["2026-11-28T20:25:59.123Zx", false],
    ["yesterday", false],
  ])("takes %s for an instant: %s", (recordedAt, isInstant) => {
    const dated = { ...record, recordedAt };
    expect(readRecord(dated)).toBe(isInstant ? dated : "recordedAt must be an instant");
  });
});
