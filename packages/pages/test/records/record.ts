import type { DecisionRecord } from "@decern/core";

/** A record to change. */
export const record: DecisionRecord = {
  recordVersion: 1,
  recordId: "019cb404-5683-7100-8abc-000000000001",
  recordedAt: "2026-03-03T14:05:09.123Z",
  requestId: "r-1",
  decision: { id: "loan", version: "1.0.0" },
  profileHash: `sha256:${"0".repeat(64)}`,
  selectedBy: "default",
  status: "OK",
  matchedRule: "second",
  durationSeconds: 0.001,
  sampleRate: 1,
  masked: [],
  payload: {
    salt: "",
    input: { amount: 5, person: { name: "Ada" } },
    result: {
      status: "OK",
      data: { limit: 7, list: [1, 2] },
      meta: {
        matchedRule: "second",
        explanation: "five",
        evaluatedRules: [
          { ruleId: "first", matched: false },
          { ruleId: "second", matched: true, explanation: "five" },
        ],
      },
    },
  },
  payloadHash: `sha256:${"1".repeat(64)}`,
  previousHash: null,
  hash: `sha256:${"2".repeat(64)}`,
};
