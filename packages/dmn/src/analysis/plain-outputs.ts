import type { HitPolicy, TableBox } from "../model/model.js";
import type { Type } from "../values/value.js";
import { literalsOf, NotAnalysed, type PlainOutput, plainOutput } from "./plain-cells.js";
import { nonNull } from "./plain-inputs.js";

/** The outputs of a table as texts, which tell which rows return the same. */
export interface PlainOutputs {
  readonly hitPolicy: "U" | "A" | "P" | "F" | "R";
  readonly columns: readonly { readonly path: string; readonly priority?: readonly string[] }[];
  /** By row and column. */
  readonly cells: readonly (readonly string[])[];
  readonly otherwise: readonly string[] | undefined;
  readonly type: Type;
}

/** Lists in any order leave the same gaps. */
const plainPolicies: Readonly<Record<HitPolicy, PlainOutputs["hitPolicy"]>> = {
  UNIQUE: "U",
  ANY: "A",
  PRIORITY: "P",
  FIRST: "F",
  COLLECT: "R",
  "RULE ORDER": "R",
  "OUTPUT ORDER": "R",
};

/** @throws NotAnalysed where which row decides depends on what rows calculate */
export function plainOutputs(box: TableBox): PlainOutputs {
  const columns = box.outputs.map((_output, column) => plainColumn(box, column));
  const isRanked = box.hitPolicy === "PRIORITY" && columns.some(({ priority }) => priority !== undefined);
  // Without priorities, the first row decides.
  const hitPolicy = box.hitPolicy === "PRIORITY" && !isRanked ? "F" : plainPolicies[box.hitPolicy];
  const computed = columns.find(({ isLiteral }) => !isLiteral);
  if ((hitPolicy === "A" || hitPolicy === "P") && computed !== undefined)
    throw new NotAnalysed(`the output ${computed.path} is calculated, and the policy is ${box.hitPolicy}`);
  const item: Type = {
    kind: "context",
    entries: new Map(columns.map(({ path, type }) => [path, nonNull(type)])),
  };
  const hasDefault = box.outputs.some(({ otherwise }) => otherwise !== undefined && otherwise !== "");
  return {
    hitPolicy,
    columns: columns.map(({ path, priority }) => ({
      path,
      ...(isRanked && priority !== undefined ? { priority } : {}),
    })),
    cells: box.rules.map((_rule, row) => columns.map(({ cells }) => quoted(cells[row] ?? ""))),
    otherwise: hasDefault ? columns.map(({ otherwise }) => quoted(otherwise)) : undefined,
    type: hitPolicy === "R" ? { kind: "list", of: item } : item,
  };
}

function plainColumn(box: TableBox, column: number) {
  const { name = "", allowed, otherwise = "" } = box.outputs[column] ?? {};
  const outputs = box.rules.map((rule) => plainOutput(rule.outputs[column] ?? ""));
  const cells = outputs.map(textOf);
  const listed = literalsOf(allowed ?? "-")?.map((value) => textOf({ value, isLiteral: true })) ?? [];
  const isListed = listed.length > 0 && cells.every((cell) => listed.includes(cell));
  const text: Type = { kind: "string" };
  return {
    path: name === "" ? "result" : name.replaceAll(".", "·"),
    cells,
    otherwise: textOf(plainOutput(otherwise)),
    isLiteral: outputs.every(({ isLiteral }) => isLiteral),
    priority: listed.length > 0 ? [...new Set(listed)] : undefined,
    type: isListed ? oneOf(listed) : text,
  };
}

/** Of a text the text itself, as people know it. */
function textOf({ value }: PlainOutput): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function oneOf(members: readonly string[]): Type {
  return {
    kind: "restricted",
    base: { kind: "string" },
    tests: members.map(quoted).join(", "),
    allows: (value) => typeof value === "string" && members.includes(value),
  };
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
