import type { DecisionRecord } from "@decern/core";
import { openTable, type TableDocument, tableEvaluator } from "@decern/table/browser";
import { describe, expect, it } from "vitest";
import { type Judges, judgeRecord, readsOf } from "../../src/draft/judge-record.js";
import { schemaOf } from "../../src/json/schema-port.js";

const inputSchema = {
  type: "object",
  properties: { kg: { type: "number" }, name: { type: "string" }, base: { type: "number" } },
  required: ["kg", "name"],
};
const outputSchema = { type: "object", properties: { fee: { type: "number" } } };
const strict = schemaOf(inputSchema, inputSchema);
const contract = {
  id: "fee",
  inputSchema: schemaOf(inputSchema, inputSchema, true),
  outputSchema: schemaOf(outputSchema, outputSchema),
  profileSchema: schemaOf({}, {}),
};

function tableOf(limit: string, fee: string | number = 1): TableDocument {
  return {
    table: "fee",
    version: "1",
    hitPolicy: "F",
    inputs: [{ path: "kg" }],
    outputs: [{ path: "fee" }],
    rules: [
      { id: "light", if: [`<= ${limit}`], then: [fee] },
      { id: "heavy", if: ["<= 100"], then: [9] },
    ],
  };
}

function open(document: TableDocument) {
  const table = openTable(contract, { hash: "", mediaType: "", document });
  if ("problems" in table) throw new Error(table.problems[0]?.message);
  return { evaluate: tableEvaluator(contract, table), hash: table.content.hash };
}

function judgesOf(served: TableDocument, draft: TableDocument): Judges {
  const [one, other] = [open(served), open(draft)];
  return {
    served: one.evaluate,
    draft: other.evaluate,
    servedHash: one.hash,
    reads: readsOf([served, draft]),
    isValid: (input) => {
      const validated = strict["~standard"].validate(input);
      return !(validated instanceof Promise) && validated.issues === undefined;
    },
  };
}

const judges = judgesOf(tableOf("2"), tableOf("5"));
const hash = `sha256:${"0".repeat(64)}`;

function record(kg: number, fee: number, more: Partial<DecisionRecord> = {}): DecisionRecord {
  const result = { status: "OK", data: { fee }, meta: {} };
  return {
    recordVersion: 1,
    recordId: "r",
    recordedAt: "2026-03-03T00:00:00.000Z",
    requestId: "q",
    decision: { id: "fee", version: "1" },
    profileHash: hash,
    contentHash: judges.servedHash,
    selectedBy: "default",
    status: "OK",
    durationSeconds: 0,
    sampleRate: 1,
    masked: [],
    payload: { salt: "", input: { kg, name: "Ada" }, result },
    payloadHash: hash,
    previousHash: null,
    hash,
    ...more,
  };
}

const kindOf = (one: DecisionRecord, profile: unknown = {}, by = judges) => {
  const judged = judgeRecord(one, profile, by);
  return judged.kind === "uncompared" ? judged.why : judged.kind;
};

describe("a recorded call under a draft", () => {
  it("stays the same, or changes to what the draft returns", () => {
    expect(kindOf(record(1, 1))).toBe("same");
    expect(judgeRecord(record(3, 9), {}, judges)).toMatchObject({
      kind: "changed",
      before: { status: "OK", data: { fee: 9 } },
      after: { status: "OK", data: { fee: 1 }, rules: ["light"] },
    });
    const none = record(200, 0, {
      status: "NO_MATCH",
      payload: { salt: "", input: { kg: 200, name: "" }, result: { status: "NO_MATCH" } },
    });
    expect(kindOf(none)).toBe("same");
  });

  it("was made by a different table, and is compared with what that returned", () => {
    const older = { contentHash: hash };
    expect(kindOf(record(3, 9, older))).toBe("changed");
    expect(kindOf(record(3, 1, older))).toBe("same");
    expect(kindOf(record(3, 1, { ...older, payload: { salt: "", input: { kg: "3" } } }))).toBe("contract");
  });

  it("is not compared where something is missing that matters", () => {
    expect(kindOf(record(1, 1, { payload: null }))).toBe("removed");
    expect(kindOf(record(1, 1, { payload: { salt: "" } }))).toBe("removed");
    expect(judgeRecord(record(1, 1), undefined, judges)).toEqual({ kind: "uncompared", why: "profile" });
    // The page evaluates it differently from the service, so it cannot say what the draft would do.
    expect(kindOf(record(1, 7))).toBe("unlike");
  });

  it.each([
    ["", "masked"],
    ["/input", "masked"],
    ["/input/kg", "masked"],
    ["/input/kg/deeper", "masked"],
    ["/result/data/fee", "masked"],
    ["/input/name", "same"],
    ["/profile/minimum", "same"],
  ])("with %j removed: %s", (pointer, kind) => {
    expect(
      kindOf(
        record(1, 1, {
          masked: [pointer],
          payload: { salt: "", input: { kg: 1 }, result: { status: "OK", data: { fee: 1 } } },
        }),
      ),
    ).toBe(kind);
  });

  it("reads what outputs refer to, and the profile where a cell does", () => {
    const referring = judgesOf(tableOf("2"), tableOf("2", "input.base * 2"));
    expect(kindOf(record(1, 1, { masked: ["/input/base"] }), {}, referring)).toBe("masked");
    expect(readsOf([tableOf("profile.limit")])).toEqual({ inputs: ["kg"], hasProfile: true });
  });

  it("that was refused before any row was looked at stays refused", () => {
    const refused = { status: "INVALID_INPUT", payload: { salt: "", input: {} } } as const;
    expect(kindOf(record(0, 0, refused))).toBe("same");
    expect(kindOf(record(0, 0, { ...refused, contentHash: hash }))).toBe("contract");
    const aborted = { salt: "", input: {}, error: { code: "EVALUATION_ABORTED", message: "" } };
    expect(kindOf(record(0, 0, { status: "ERROR", payload: aborted }))).toBe("same");
  });
});
