import { builtIns } from "../builtins/all.js";
import type { Linked } from "../graph/link.js";
import type { ModelProgram } from "../graph/program.js";
import type { TableBox } from "../model/model.js";
import { canonicalName } from "../values/text.js";
import type { Type } from "../values/value.js";
import { literalsOf, NotAnalysed } from "./plain-cells.js";

/** The columns of a table as fields of an input. */
export interface PlainInputs {
  /** By column: members joined by dots. */
  readonly paths: readonly string[];
  readonly type: Type;
}

interface Fields extends Map<string, Fields | Type> {}

/** @throws NotAnalysed for a column whose values are of no type that plain tables have, or depend on those of another */
export function plainInputs(box: TableBox, linked: Linked, program: ModelProgram): PlainInputs {
  refuseDependent(box, linked);
  const fields: Fields = new Map();
  const paths = box.inputs.map((input, column) => {
    const names = namesOf(input.expression);
    const type = nonNull(columnType(input, column, names, { box, linked, program }));
    addField(fields, names, type, input.expression);
    return names.join(".");
  });
  return { paths, type: contextOf(fields) };
}

const name = /^[\p{L}_][\p{L}\p{N}_' ]*(?:-[\p{L}\p{N}_' ]+)*$/u;

/** The path that an expression is. Any other expression is a field of its own; a path has no dots within names. */
function namesOf(expression: string): readonly string[] {
  const names = expression.split(".").map((part) => part.trim());
  return isPath(names) ? names : [expression.replaceAll(".", "·")];
}

/** `Age` and `Age < 18` don't have each value with each. */
function refuseDependent({ inputs }: TableBox, { element, requires }: Linked): void {
  const parameters = element.kind === "knowledge" ? (element.definition?.parameters ?? []) : [];
  const variables = [...requires.map((each) => each.element.variable), ...parameters];
  const paths = inputs.map(({ expression }) => namesOf(expression)).filter(isPath);
  const known = new Set([
    ...variables.map((each) => canonicalName(each.name)),
    ...paths.flatMap(([root = ""]) => root),
  ]);
  const words = inputs.map(({ expression }) => wordsIn(expression, known));
  for (const [at, { expression }] of inputs.entries()) {
    if (isPath(namesOf(expression))) continue;
    const others = words.toSpliced(at, 1).flat();
    const both = words[at]?.find((own) =>
      others.some((other) => isWithin(own, other) || isWithin(other, own)),
    );
    if (both !== undefined) throw new NotAnalysed(`${expression} is not the only column about ${both}`);
  }
}

function isWithin(path: string, other: string): boolean {
  return `${path}.`.startsWith(`${other}.`);
}

function isPath(names: readonly string[]): boolean {
  return names.every((each) => name.test(each));
}

const keywords =
  "and or not if then else in between for return some every satisfies instance of true false null function";

/** What no value is called. */
const feelWords = new Set([
  ...keywords.split(" "),
  ...[...builtIns.keys()].flatMap((each) => each.split(" ")),
]);

/** Paths in an expression, those of known names whole, and perhaps other words. */
function wordsIn(expression: string, known: ReadonlySet<string>): readonly string[] {
  let text = canonicalName(expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
  for (const each of [...known].sort((one, other) => other.length - one.length))
    text = text.replaceAll(each, each.replaceAll(/[^\p{L}\p{N}_]/gu, "_"));
  const paths = text.match(/[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/gu) ?? [];
  return paths.filter((path) => known.has(path) || !feelWords.has(path));
}

const plainKinds: ReadonlySet<Type["kind"]> = new Set(["boolean", "number", "string", "date"]);

interface Place {
  readonly box: TableBox;
  readonly linked: Linked;
  readonly program: ModelProgram;
}

function columnType(
  { expression, typeRef, allowed }: TableBox["inputs"][number],
  column: number,
  names: readonly string[],
  { box, linked, program }: Place,
): Type {
  const { types } = program;
  const own = types.resolve(typeRef, linked.model, box.line);
  const known = typeAt(names, linked, program);
  // Its values are those that the input has, whatever else the column would take.
  const isNarrower = known !== undefined && (own.kind === "any" || plainOf(own).kind === plainOf(known).kind);
  const declared = isNarrower ? known : own;
  const type = declared.kind === "any" ? { kind: kindOfCells(box, column) } : declared;
  const { kind } = plainOf(type);
  if (!plainKinds.has(kind)) throw new NotAnalysed(`the values of ${expression} are of type ${kind}`);
  return allowed === undefined || allowed === ""
    ? type
    : types.restricted(type, allowed, linked.element.name);
}

/** The type of a name that an element sees, or of an entry in it. */
function typeAt([first = "", ...entries]: readonly string[], linked: Linked, program: ModelProgram) {
  const { element, model, requires } = linked;
  const parameter =
    element.kind === "knowledge"
      ? element.definition?.parameters.find((each) => canonicalName(each.name) === canonicalName(first))
      : undefined;
  const required = requires.find(
    (each) => canonicalName(each.element.variable.name) === canonicalName(first),
  );
  let type: Type | undefined =
    parameter === undefined
      ? required && program.typeOf(required)
      : program.types.resolve(parameter.typeRef, model, element.line);
  for (const entry of entries) {
    const context: Type | undefined = type && plainOf(type);
    type = context?.kind === "context" ? context.entries.get(entry) : undefined;
  }
  return type?.kind === "any" ? undefined : type;
}

function plainOf(type: Type): Type {
  return type.kind === "restricted" ? plainOf(type.base) : type;
}

/** Of a column without a type: what its literals are. */
function kindOfCells(box: TableBox, column: number): "boolean" | "number" | "string" {
  for (const { inputs } of box.rules) {
    const [value] = literalsOf(inputs[column] ?? "-") ?? [];
    if (typeof value === "boolean") return "boolean";
    if (typeof value === "number") return "number";
  }
  const hasNumbers = box.rules.some(({ inputs }) =>
    /^\s*(?:[<>]=?|[[(\]])\s*-?\d/.test(inputs[column] ?? ""),
  );
  return hasNumbers ? "number" : "string";
}

/** The analysis asks about values, of which null is in each column another that no row has. */
export function nonNull(base: Type): Type {
  return { kind: "restricted", base, tests: "-", allows: (value) => value !== null };
}

function addField(fields: Fields, names: readonly string[], type: Type, expression: string): void {
  const [own = "", ...rest] = names;
  const known = fields.get(own);
  if (rest.length === 0 && known === undefined) fields.set(own, type);
  else if (rest.length > 0 && (known === undefined || known instanceof Map)) {
    const inner: Fields = known ?? new Map();
    fields.set(own, inner);
    addField(inner, rest, type, expression);
  } else throw new NotAnalysed(`two columns are about ${expression}`);
}

function contextOf(fields: Fields): Type {
  const entries = new Map(
    [...fields].map(([own, type]) => [own, type instanceof Map ? contextOf(type) : type] as const),
  );
  return nonNull({ kind: "context", entries });
}
