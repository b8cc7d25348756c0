import { z } from "zod";
import type { Answer } from "./contestant.js";

const envelope = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("OK"),
    data: z.unknown(),
    meta: z.object({
      matchedRule: z.string(),
      decisionVersion: z.string(),
      explanation: z.string(),
      evaluatedAt: z.iso.datetime(),
      evaluatedRules: z.array(z.object({ ruleId: z.string(), matched: z.boolean() })),
    }),
  }),
  z.object({
    status: z.literal("INVALID_INPUT"),
    message: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string(), keyword: z.string() })),
    meta: z.object({ decisionId: z.string(), evaluatedAt: z.iso.datetime() }),
  }),
]);

/** Reads an envelope, whoever made it; what is no complete envelope throws. */
export function readResult(answer: unknown): Answer {
  const result = envelope.parse(answer);
  if (result.status === "INVALID_INPUT") {
    return { status: result.status, failing: result.errors.map(({ path }) => path).toSorted() };
  }
  const { matchedRule, evaluatedRules } = result.meta;
  const last = evaluatedRules.at(-1);
  const misses = evaluatedRules.slice(0, -1);
  if (last?.ruleId !== matchedRule || !last.matched || misses.some(({ matched }) => matched)) {
    throw new TypeError("the trace and the matched rule differ");
  }
  return { status: result.status, rule: matchedRule, data: result.data };
}
