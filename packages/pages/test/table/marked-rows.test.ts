import { type HitPolicy, openTable, type TableDocument, type TableMarks } from "@decern/table/browser";
import { describe, expect, it } from "vitest";
import { schemaOf } from "../../src/json/schema-port.js";
import type { Reply } from "../../src/model/reply.js";
import { columnsOf } from "../../src/table/columns.js";
import { countsOf, findingsOf, provenOf } from "../../src/table/findings.js";
import {
  canMark,
  closestRows,
  forceText,
  instantOf,
  markedRows,
  missesOf,
  stateOf,
} from "../../src/table/marked-rows.js";
import { profileOf } from "../../src/table/use-table.js";

const inputSchema = {
  type: "object",
  properties: {
    zone: { enum: ["home", "abroad"], title: "Zone" },
    parcel: {
      type: "object",
      properties: { kg: { type: "number", minimum: 0, maximum: 9 } },
      required: ["kg"],
    },
  },
  required: ["zone", "parcel"],
};
const outputSchema = {
  type: "object",
  properties: { fee: { type: "number", title: "Fee (EUR)" } },
  required: ["fee"],
};

type Row = readonly [zone: string, kg: string, fee: number];

function tableOf(
  hitPolicy: HitPolicy,
  rows: readonly Row[],
  parts: Partial<TableDocument> = {},
): TableDocument {
  return {
    table: "fee",
    version: "1",
    hitPolicy,
    inputs: [{ path: "zone" }, { path: "parcel.kg", label: "Kilograms" }],
    outputs: [{ path: "fee" }],
    rules: rows.map(([zone, kg, fee], at) => ({ id: `r${at + 1}`, if: [zone, kg], then: [fee] })),
    ...parts,
  };
}

function open(document: TableDocument) {
  const input = schemaOf(inputSchema, inputSchema);
  const output = schemaOf(outputSchema, outputSchema);
  const contract = { id: "fee", inputSchema: input, outputSchema: output, profileSchema: schemaOf({}, {}) };
  const table = openTable(contract, { hash: "", mediaType: "", document });
  if ("problems" in table) throw new Error(table.problems[0]?.message);
  return table;
}

function marksOf(document: TableDocument, zone: string, kg: number): TableMarks {
  return open(document).mark({ input: { zone, parcel: { kg } }, profile: {}, nowMs: 0 });
}

function reply(status: string, decided: readonly string[]): Reply {
  const evaluatedRules = decided.map((ruleId) => ({ ruleId, matched: true, explanation: "" }));
  return {
    httpStatus: 200,
    requestId: undefined,
    milliseconds: 1,
    body: { status, meta: { evaluatedRules, evaluatedAt: "2026-01-01T00:00:00.000Z" } },
    sent: { input: {}, profile: undefined },
  };
}

const first = tableOf("F", [
  ["abroad", "-", 3],
  ["-", "< 5", 1],
  ["home", "-", 2],
]);

describe("the rows beside a result", () => {
  it("tells what decides from what is met and lost, and what is not met", () => {
    const marked = markedRows(marksOf(first, "home", 4), reply("OK", ["r2"]));
    expect(["r1", "r2", "r3", "default"].map((id) => stateOf(id, marked))).toEqual([
      "missed",
      "decides",
      "also",
      "missed",
    ]);
    expect(stateOf("r1", undefined)).toBe("unknown");
  });

  it("marks nothing that contradicts the service, which may change inputs as no schema tells", () => {
    const marks = marksOf(first, "home", 4);
    expect(markedRows(marks, reply("OK", ["r3"]))).toBeUndefined();
    expect(markedRows(marks, reply("NO_MATCH", []))).toBeUndefined();
  });

  it("marks the rows that the policy refused together", () => {
    const document = tableOf("U", [
      ["home", "-", 1],
      ["-", "< 5", 2],
    ]);
    const marked = markedRows(marksOf(document, "home", 4), reply("EVALUATION_FAILED", []));
    expect(["r1", "r2"].map((id) => stateOf(id, marked))).toEqual(["also", "also"]);
  });

  it("marks only replies for which the service looked at rows", () => {
    expect(canMark(reply("NO_MATCH", []))).toBe(true);
    expect(canMark(reply("INVALID_INPUT", []))).toBe(false);
    expect(canMark({ ...reply("OK", []), httpStatus: 0 })).toBe(false);
    expect(canMark(undefined)).toBe(false);
  });

  it("finds the rows that fewest cells keep from being met", () => {
    const document = tableOf("U", [
      ["abroad", "> 8", 1],
      ["home", "> 8", 2],
      ["abroad", "< 5", 3],
      ["abroad", "> 7", 4],
    ]);
    const marked = markedRows(marksOf(document, "home", 4), reply("NO_MATCH", []));
    if (marked === undefined) throw new Error("not marked");
    expect(document.rules.map((row) => missesOf(row.if, marked))).toEqual([2, 1, 1, 2]);
    expect(closestRows(document, marked, 5)).toEqual([1, 2]);
    expect(closestRows(document, marked, 1)).toEqual([1]);
  });

  it("takes the instant of the call from the reply", () => {
    expect(instantOf(reply("OK", []))).toBe(Date.parse("2026-01-01T00:00:00Z"));
  });
});

it("knows the profile of a call: the host's, the one that it names, or its own", () => {
  const decision = {
    defaultProfile: { low: 1, of: { x: 1, y: 1 } },
    namedProfiles: [{ name: "strict", profile: { low: 9, of: { x: 9 } } }],
  };
  const profile = { of: { y: 5 } };
  const profiles = (merges: boolean) => [
    profileOf(decision, { input: {} }, merges),
    profileOf(decision, { input: {}, profileName: "strict" }, merges),
    profileOf(decision, { input: {}, profile }, merges),
    profileOf(decision, { input: {}, profile, profileName: "strict" }, merges),
  ];
  const [host, strict] = [decision.defaultProfile, decision.namedProfiles[0]?.profile];
  expect(profiles(false)).toEqual([host, strict, profile, profile]);
  expect(profiles(true)).toEqual([
    host,
    strict,
    { low: 1, of: { x: 1, y: 5 } },
    { low: 9, of: { x: 9, y: 5 } },
  ]);
  expect(profileOf({ namedProfiles: [] }, { input: {} }, false)).toEqual({});
});

it("says when a row is in force", () => {
  expect(forceText({})).toBeUndefined();
  expect(forceText({ from: "2026-01-01" })).toBe("from 2026-01-01");
  expect(forceText({ until: "2027-01-01" })).toBe("until 2027-01-01");
  expect(forceText({ from: "2026-01-01", until: "2027-01-01" })).toBe("from 2026-01-01 until 2027-01-01");
});

it("heads columns with the label of the table, else the title of the schema, else the name", () => {
  const labels = columnsOf(first, { inputSchema, outputSchema }).map(({ label }) => label);
  expect(labels).toEqual(["Row", "Zone", "Kilograms", "Fee (EUR)"]);
  const list = { type: "array", items: outputSchema };
  const noted = {
    ...first,
    hitPolicy: "C" as const,
    rules: first.rules.map((row) => ({ ...row, note: "n" })),
  };
  expect(
    columnsOf(noted, { inputSchema, outputSchema: list })
      .map(({ label }) => label)
      .slice(3),
  ).toEqual(["Fee (EUR)", "Note"]);
});

describe("what an analysis found", () => {
  const findings = (document: TableDocument) => {
    const analysis = open(document).analyze({});
    const columns = columnsOf(document, { inputSchema, outputSchema });
    const found = findingsOf(analysis, document, columns);
    return {
      texts: found.map(({ text }) => text),
      counts: countsOf(found),
      proven: provenOf(analysis, document),
      found,
    };
  };

  it("is a sentence for each gap, with an input to try", () => {
    const { texts, counts, proven, found } = findings(
      tableOf("U", [
        ["home", "-", 1],
        ["abroad", "<= 5", 2],
      ]),
    );
    expect(texts).toEqual(['No row for Zone `"abroad"`, Kilograms `> 5`.']);
    expect(counts).toBe("1 gap");
    expect(proven).toBe("No input that the schemas allow meets two rows.");
    expect(found[0]).toMatchObject({ gap: 0, witness: { zone: "abroad" } });
  });

  it("has what the policy forbids first, and what it allows last", () => {
    const rows: readonly Row[] = [
      ["-", "<= 5", 1],
      ["home", "-", 2],
      ["abroad", "< 3", 3],
      ["abroad", "> 5", 4],
    ];
    const allowed = findings(tableOf("F", rows));
    expect(allowed.texts).toEqual([
      "Row `r3` never decides: whatever meets it goes to row `r1`.",
      "Rows `r1` and `r2` match together.",
      "Rows `r1` and `r3` match together.",
    ]);
    expect(allowed.counts).toBe("2 overlaps, 1 row that never decides");
    expect(allowed.proven).toBe("Every input that the schemas allow meets a row.");
    const forbidden = findings(tableOf("U", rows));
    expect(forbidden.texts[0]).toBe("Rows `r1` and `r2` match together, which policy U forbids.");
    expect(forbidden.found[0]).toMatchObject({ isError: true, rules: ["r1", "r2"] });
  });

  it("calls a table complete only where that was decided", () => {
    const whole: readonly Row[] = [
      ["home", "-", 1],
      ["abroad", "-", 2],
    ];
    expect(findings(tableOf("U", whole)).proven).toBe(
      "Every input that the schemas allow meets exactly one row.",
    );
    // What a default takes is no gap, but says nothing about the rows.
    expect(findings(tableOf("F", whole, { default: [0] })).proven).toBe(
      "No input that the schemas allow meets two rows.",
    );
    const analysis = open(tableOf("U", whole)).analyze({});
    const undecided = [{ part: "gaps", message: "No time" }] as const;
    const document = tableOf("U", whole);
    expect(provenOf({ ...analysis, undecided }, document)).toBe(
      "No input that the schemas allow meets two rows.",
    );
    expect(findingsOf({ ...analysis, undecided }, document, []).map(({ text }) => text)).toEqual([
      "Not decided: gaps. No time.",
    ]);
  });

  it("names rows that are the same, and at most five of many", () => {
    const same = Array.from({ length: 8 }, (): Row => ["home", "-", 1]);
    const { texts } = findings(tableOf("C#", same));
    expect(texts).toContain("Rows `r1`, `r2`, `r3`, `r4`, `r5` and 3 more are the same.");
  });
});
