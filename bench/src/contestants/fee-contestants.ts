import { type Decision, defineDecision, evaluate } from "@decern/core";
import { typebox } from "@decern/schema";
import { readTable, type TableForm, tableContract, writeTable } from "@decern/table";
import { ZenEngine } from "@gorules/zen-engine";
import { Engine } from "json-rules-engine";
import { Type } from "typebox";
import { z } from "zod";
import type { FeeRow, Shipment } from "../workload/fee-rows.js";
import { measures, type WideRow } from "../workload/wide-rows.js";
import type { Contestant } from "./contestant.js";
import { readResult } from "./read-result.js";

export const feeContract = tableContract({
  id: "fee",
  inputSchema: typebox(
    Type.Object({
      zone: Type.String(),
      kind: Type.String(),
      weightKg: Type.Number(),
      value: Type.Number(),
      express: Type.Boolean(),
      member: Type.Boolean(),
    }),
  ),
  outputSchema: typebox(Type.Object({ fee: Type.Number() })),
  profileSchema: typebox(Type.Object({})),
});

const columns = ["zone", "kind", "weightKg", "value", "express", "member"] as const;

function interval([low, high]: readonly [number, number]): string {
  return `[${low}..${high})`;
}

/** The rows as a table that is parsed already. */
function documentOf(rows: readonly FeeRow[], hitPolicy: "F" | "U") {
  return {
    table: "fee",
    version: "1",
    hitPolicy,
    inputs: columns.map((path) => ({ path })),
    outputs: [{ path: "fee" }],
    rules: rows.map(({ id, zone, kind, weight, value, fee }) => ({
      id,
      if: [JSON.stringify(zone), JSON.stringify(kind), interval(weight), interval(value), "-", "-"],
      then: [fee],
    })),
  };
}

export function feeTable(rows: readonly FeeRow[], hitPolicy: "F" | "U" = "F"): Decision {
  return readTable(feeContract, { name: "fee.json", document: documentOf(rows, hitPolicy) });
}

/** The table as a file of JSON that allows one row. */
export function feeFileBytes(rows: readonly FeeRow[]): Uint8Array {
  return writeTable(documentOf(rows, "U"), "json");
}

/** The table as a file, and what reads it. */
export function feeFile(rows: readonly FeeRow[], form: TableForm): () => Decision {
  const source = { name: `fee.${form}`, bytes: writeTable(documentOf(rows, "F"), form) };
  return () => readTable(feeContract, source);
}

export function decernTable(rows: readonly FeeRow[]): Contestant {
  return decernContestant("Decern table", feeTable(rows));
}

const wideContract = tableContract({
  id: "fee",
  inputSchema: typebox(Type.Object(Object.fromEntries(measures.map((name) => [name, Type.Number()])))),
  outputSchema: feeContract.outputSchema,
  profileSchema: feeContract.profileSchema,
});

export function decernWideTable(rows: readonly WideRow[]): Contestant {
  const document = {
    table: "fee",
    version: "1",
    hitPolicy: "F",
    inputs: measures.map((path) => ({ path })),
    outputs: [{ path: "fee" }],
    rules: rows.map(({ id, bounds, fee }) => ({
      id,
      if: measures.map((measure) => interval(bounds[measure])),
      then: [fee],
    })),
  };
  return decernContestant("Decern table, wide", readTable(wideContract, { name: "fee.json", document }));
}

function decernContestant(name: string, decision: Decision): Contestant {
  return {
    name,
    asynchronous: false,
    evaluate: (input) => evaluate(decision, input),
    read: readResult,
  };
}

/** The same rows as rules in TypeScript: each is a closure, tried in order. */
export function closures(rows: readonly FeeRow[]): Contestant {
  const { inputSchema, outputSchema, profileSchema } = feeContract;
  const decision = defineDecision({
    id: "fee",
    version: "1",
    inputSchema,
    outputSchema,
    profileSchema,
    rules: rows.map(({ id, zone, kind, weight: [light, heavy], value: [low, high], fee }) => ({
      id,
      when: (input: Shipment) =>
        input.zone === zone &&
        input.kind === kind &&
        input.weightKg >= light &&
        input.weightKg < heavy &&
        input.value >= low &&
        input.value < high,
      emit: () => ({ fee }),
    })),
  });
  return {
    name: "Decern rules, a closure per row",
    asynchronous: false,
    evaluate: (input) => evaluate(decision, input),
    read: readResult,
  };
}

const position = { x: 0, y: 0 };

/** GoRules zen: the same table, hit policy `first`. */
export function zenTable(rows: readonly FeeRow[]): Contestant {
  const rules = rows.map(({ id, zone, kind, weight, value, fee }) => ({
    id,
    fee,
    cells: {
      zone: JSON.stringify(zone),
      kind: JSON.stringify(kind),
      weightKg: interval(weight),
      value: interval(value),
      express: "",
      member: "",
    },
  }));
  return zenContestant("GoRules zen", columns, rules);
}

export function zenWideTable(rows: readonly WideRow[]): Contestant {
  const rules = rows.map(({ id, bounds, fee }) => ({
    id,
    fee,
    cells: Object.fromEntries(measures.map((measure) => [measure, interval(bounds[measure])])),
  }));
  return zenContestant("GoRules zen, wide", measures, rules);
}

function zenContestant(
  name: string,
  fields: readonly string[],
  rules: readonly {
    readonly id: string;
    readonly fee: number;
    readonly cells: Readonly<Record<string, string>>;
  }[],
): Contestant {
  const content = {
    hitPolicy: "first",
    inputs: fields.map((field) => ({ id: field, name: field, field })),
    outputs: ["rule", "fee"].map((field) => ({ id: field, name: field, field })),
    rules: rules.map(({ id, fee, cells }) => ({
      _id: id,
      ...cells,
      rule: JSON.stringify(id),
      fee: String(fee),
    })),
  };
  const decision = new ZenEngine().createDecision({
    contentType: "application/vnd.gorules.decision",
    nodes: [
      { id: "request", type: "inputNode", name: "request", position },
      { id: "table", type: "decisionTableNode", name: "table", position, content },
      { id: "response", type: "outputNode", name: "response", position },
    ],
    edges: [
      { id: "in", type: "edge", sourceId: "request", targetId: "table" },
      { id: "out", type: "edge", sourceId: "table", targetId: "response" },
    ],
  });
  const readable = z.object({ result: z.object({ rule: z.string(), fee: z.number() }) });
  return {
    name,
    asynchronous: true,
    evaluate: (input) => decision.evaluate(input),
    read: (answer) => {
      const { rule, fee } = readable.parse(answer).result;
      return { status: "OK", rule, data: { fee } };
    },
  };
}

/** json-rules-engine: one rule per row, by priority, stopped at the first that matches. */
export function jsonRulesRows(rows: readonly FeeRow[]): Contestant {
  const engine = new Engine(
    rows.map(({ id, zone, kind, weight: [light, heavy], value: [low, high], fee }, index) => ({
      name: id,
      priority: rows.length - index,
      event: { type: id, params: { fee } },
      conditions: {
        all: [
          { fact: "zone", operator: "equal", value: zone },
          { fact: "kind", operator: "equal", value: kind },
          { fact: "weightKg", operator: "greaterThanInclusive", value: light },
          { fact: "weightKg", operator: "lessThan", value: heavy },
          { fact: "value", operator: "greaterThanInclusive", value: low },
          { fact: "value", operator: "lessThan", value: high },
        ],
      },
    })),
  );
  engine.on("success", () => void engine.stop());
  const facts = z.record(z.string(), z.unknown());
  const readable = z.object({
    events: z.tuple([z.object({ type: z.string(), params: z.object({ fee: z.number() }) })]),
  });
  return {
    name: "json-rules-engine",
    asynchronous: true,
    evaluate: (input) => engine.run(facts.parse(input)),
    read: (answer) => {
      const [{ type, params }] = readable.parse(answer).events;
      return { status: "OK", rule: type, data: params };
    },
  };
}
