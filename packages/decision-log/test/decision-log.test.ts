import { createEvaluator } from "@decern/core";
import canonicalize from "canonicalize";
import { describe, expect, it } from "vitest";
import { decisionLog } from "../src/index.js";
import { greeting } from "./support/decisions.js";
import { MemoryStore } from "./support/memory-store.js";
import { quietLogger } from "./support/recording-logger.js";

describe("decisionLog", () => {
  it("writes one canonical record for each evaluation, chained and provable", async () => {
    const store = new MemoryStore();
    const log = decisionLog({ store, logger: quietLogger() });
    const evaluator = createEvaluator({ log });
    await evaluator.evaluate(greeting, { input: { name: "Ann" } });
    await evaluator.evaluate(greeting, { input: JSON.parse('{"name":1}') });
    await log.flush();
    expect(store.records.map(({ status }) => status)).toEqual(["OK", "INVALID_INPUT"]);
    for (const line of store.lines) expect(canonicalize(JSON.parse(line))).toBe(line);
    expect(await log.verify()).toMatchObject({ ok: true, records: 2, problemCount: 0 });
    await log.close();
  });
});
