import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Linked } from "../../src/graph/link.js";
import { ModelProgram, State } from "../../src/graph/program.js";
import { readModel } from "../../src/model/read-model.js";
import { attributeOf, childOf, childrenOf, readXml, type XmlElement } from "../../src/model/xml.js";
import { equals } from "../../src/values/compare.js";
import { defaultLimits, Run } from "../../src/values/run.js";
import { DaysDuration, FeelDate, FeelDateTime, FeelTime, MonthsDuration } from "../../src/values/temporal.js";
import { valueText } from "../../src/values/text.js";
import { coerce } from "../../src/values/type.js";
import { FeelFunction, type FeelValue, isContext, isList } from "../../src/values/value.js";

/** One result node of a case of the technology compatibility kit. */
export interface TckResult {
  readonly folder: string;
  readonly file: string;
  readonly testCase: string;
  readonly node: string;
  readonly isPassed: boolean;
  readonly expectsNull: boolean;
  /** What came out instead. */
  readonly detail: string;
}

/** Runs the cases of one folder of the kit. */
export function runFolder(folder: string, name: string): readonly TckResult[] {
  const files = readdirSync(folder);
  const models = new Map(
    files
      .filter((file) => file.endsWith(".dmn"))
      .map((file) => [file, readModel(file, readFileSync(join(folder, file), "utf8"))]),
  );
  const program = new ModelProgram([...models.values()]);
  const results: TckResult[] = [];
  for (const file of files.filter((each) => each.endsWith(".xml"))) {
    const root = readXml(readFileSync(join(folder, file), "utf8"));
    const modelFile = childOf(root, "modelName")?.text.trim() ?? "";
    const model = models.get(modelFile);
    for (const testCase of childrenOf(root, "testCase")) {
      const id = attributeOf(testCase, "id") ?? "";
      for (const node of childrenOf(testCase, "resultNode")) {
        const nodeName = attributeOf(node, "name") ?? "";
        const expected = valueIn(childOf(node, "expected"));
        const base = { folder: name, file, testCase: id, node: nodeName, expectsNull: expected === null };
        if (program.problems.length > 0 || model === undefined) {
          results.push({
            ...base,
            isPassed: false,
            detail: `load: ${program.problems[0]?.message ?? "no model"}`,
          });
          continue;
        }
        const inModel = program.elements.filter((each) => each.model === model);
        try {
          const { value, run } = evaluateNode(program, inModel, testCase, nodeName);
          const isPassed = isSame(value, expected);
          const warning = run.warnings[0];
          const detail = `got ${shown(value)}, expected ${shown(expected)}${warning === undefined ? "" : ` (${warning.code}: ${warning.message})`}`;
          results.push({ ...base, isPassed, detail });
        } catch (error) {
          results.push({ ...base, isPassed: false, detail: `threw ${String(error)}` });
        }
      }
    }
  }
  return results;
}

function evaluateNode(program: ModelProgram, inModel: readonly Linked[], testCase: XmlElement, name: string) {
  const run = new Run(new Date(), { ...defaultLimits });
  const given = childrenOf(testCase, "inputNode").flatMap(
    (node): readonly (readonly [Linked, FeelValue])[] => {
      const inputName = attributeOf(node, "name");
      const namespace = attributeOf(node, "namespace");
      const candidates =
        namespace === undefined
          ? inModel
          : program.elements.filter((each) => each.model.namespace === namespace);
      const linked =
        candidates.find((each) => each.element.name === inputName) ??
        program.elements.find((each) => each.element.name === inputName);
      if (linked === undefined) return [];
      return [[linked, coerce(valueIn(node), program.typeOf(linked), run) ?? null]];
    },
  );
  const invocable = attributeOf(testCase, "invocableName");
  if (invocable !== undefined) {
    const called = inModel.find((each) => each.element.name === invocable);
    if (called === undefined) throw new Error(`no ${invocable}`);
    const callee = program.evaluate(called, new State([]), run);
    if (!(callee instanceof FeelFunction)) throw new Error(`${invocable} is no function`);
    const named = new Map(given.map(([linked, value]) => [linked.element.name, value]));
    const value = callee.callNamed(named, run);
    const output =
      isContext(value) && program.outputsOf(called).length > 1 ? (value.get(name) ?? null) : value;
    return { value: output, run };
  }
  const state = new State(given);
  const target = inModel.find((each) => each.element.name === name);
  if (target === undefined) throw new Error(`no decision ${name}`);
  return { value: program.evaluate(target, state, run), run };
}

const schemaInstance = "xsi:nil";

function valueIn(element: XmlElement | undefined): FeelValue {
  if (element === undefined) return null;
  const components = childrenOf(element, "component");
  if (components.length > 0) {
    return new Map(components.map((component) => [attributeOf(component, "name") ?? "", valueIn(component)]));
  }
  const list = childOf(element, "list");
  if (list !== undefined) {
    if (attributeOf(list, schemaInstance) === "true") return null;
    return childrenOf(list, "item").map(valueIn);
  }
  const value = childOf(element, "value");
  if (value === undefined || attributeOf(value, schemaInstance) === "true") return null;
  const type = (attributeOf(value, "xsi:type") ?? "xsd:string").replace(/^.*:/, "");
  const text = type === "string" ? value.text : value.text.trim();
  switch (type) {
    case "boolean":
      return text === "true";
    case "decimal":
    case "double":
    case "integer":
      return Number(text);
    case "date":
      return FeelDate.parse(text) ?? text;
    case "time":
      return FeelTime.parse(text) ?? text;
    case "dateTime":
      return FeelDateTime.parse(text) ?? text;
    case "duration":
      return DaysDuration.parse(text) ?? MonthsDuration.parse(text) ?? text;
    default:
      return text;
  }
}

/** As the kit compares: numbers to eight places, of which its expected results have no more in many cases. */
function isSame(a: FeelValue, b: FeelValue): boolean {
  if (typeof a === "number" && typeof b === "number")
    return Math.abs(a - b) <= Math.max(1e-8, Math.abs(b) * 1e-14);
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index] ?? null));
  if (isContext(a) && isContext(b))
    return (
      a.size === b.size && [...a].every(([name, value]) => b.has(name) && isSame(value, b.get(name) ?? null))
    );
  return equals(a, b, new Run(new Date())) === true;
}

function shown(value: FeelValue): string {
  return (
    typeof value === "string" ? JSON.stringify(value) : (valueText(value, new Run(new Date())) ?? "null")
  ).slice(0, 120);
}

export interface TckSummary {
  readonly level: string;
  readonly passed: number;
  readonly total: number;
  readonly notNullPassed: number;
  readonly notNull: number;
  /** The mean of the folders' shares. */
  readonly meanOfFolders: number;
  readonly failed: readonly TckResult[];
  readonly folders: readonly { readonly name: string; readonly passed: number; readonly total: number }[];
}

/** Runs every folder of one level. */
export function runLevel(kit: string, level: string): TckSummary {
  const results = readdirSync(join(kit, level)).flatMap((folder) => {
    try {
      return runFolder(join(kit, level, folder), folder);
    } catch (error) {
      return [
        {
          folder,
          file: "",
          testCase: "",
          node: "",
          isPassed: false,
          expectsNull: false,
          detail: `load: ${String(error)}`,
        },
      ];
    }
  });
  const folders = [...new Set(results.map(({ folder }) => folder))].map((name) => {
    const list = results.filter(({ folder }) => folder === name);
    return { name, passed: list.filter(({ isPassed }) => isPassed).length, total: list.length };
  });
  const notNull = results.filter(({ expectsNull }) => !expectsNull);
  return {
    level,
    passed: results.filter(({ isPassed }) => isPassed).length,
    total: results.length,
    notNullPassed: notNull.filter(({ isPassed }) => isPassed).length,
    notNull: notNull.length,
    meanOfFolders: folders.reduce((sum, { passed, total }) => sum + passed / total, 0) / folders.length,
    failed: results.filter(({ isPassed }) => !isPassed),
    folders,
  };
}
