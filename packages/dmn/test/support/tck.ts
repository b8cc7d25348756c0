import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Decision, evaluate } from "@decern/core";
import { type DmnDocument, loadDmn } from "../../src/index.js";
import { attributeOf, childOf, childrenOf, readXml, type XmlElement } from "../../src/model/xml.js";
import { equals } from "../../src/values/compare.js";
import { Run } from "../../src/values/run.js";
import { DaysDuration, FeelDate, FeelDateTime, FeelTime, MonthsDuration } from "../../src/values/temporal.js";

/** One result node of a case of the technology compatibility kit. */
export interface TckResult {
  readonly folder: string;
  readonly testCase: string;
  readonly node: string;
  readonly isPassed: boolean;
  readonly expectsNull: boolean;
  /** What came out instead. */
  readonly detail: string;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Evaluates a decision of a model. @returns `data` of the result */
export type Ask = (decision: Decision, input: Json) => unknown;

/** What answers the cases of one model. */
export type Host = (decisions: readonly Decision[]) => { readonly ask: Ask; readonly close?: () => unknown };

const inProcess: Host = () => ({
  ask: (decision, input) => {
    const result = evaluate(decision, input);
    if (result.status !== "OK") throw new Error(`${result.status}: ${JSON.stringify(result)}`);
    return result.data;
  },
});

const quiet = { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} };

/** Runs the cases of one folder of the kit, each against its model and what that imports. */
async function runFolder(folder: string, name: string, host: Host): Promise<readonly TckResult[]> {
  const read = (ending: string): readonly DmnDocument[] =>
    readdirSync(folder)
      .filter((file) => file.endsWith(ending))
      .map((file) => ({ name: file, text: readFileSync(join(folder, file), "utf8") }));
  const documents = read(".dmn");
  const results: TckResult[] = [];
  for (const { text } of read(".xml")) {
    const root = readXml(text);
    const models = withImports(childOf(root, "modelName")?.text.trim() ?? "", documents);
    const cases = childrenOf(root, "testCase").flatMap((testCase) =>
      childrenOf(testCase, "resultNode").map((node) => ({ testCase, node })),
    );
    const opened = open(models, host);
    for (const { testCase, node } of cases) {
      const expected = valueIn(childOf(node, "expected"));
      const outcome =
        "problem" in opened ? opened.problem : await outcomeOf(testCase, node, expected, opened);
      results.push({
        folder: name,
        testCase: attributeOf(testCase, "id") ?? "",
        node: attributeOf(node, "name") ?? "",
        isPassed: outcome === undefined,
        expectsNull: expected === null,
        detail: outcome ?? "",
      });
    }
    if ("ask" in opened) await opened.close?.();
  }
  return results;
}

function open(models: readonly DmnDocument[], host: Host) {
  try {
    const decisions = loadDmn(models, { logger: quiet });
    return { decisions, ...host(decisions) };
  } catch (error) {
    return { problem: `load: ${String(error)}` };
  }
}

/** @returns what is wrong, if anything */
async function outcomeOf(
  testCase: XmlElement,
  node: XmlElement,
  expected: Json,
  { decisions, ask }: { readonly decisions: readonly Decision[]; readonly ask: Ask },
): Promise<string | undefined> {
  const name = attributeOf(node, "name") ?? "";
  const id = (attributeOf(testCase, "invocableName") ?? name).replace(/[^A-Za-z0-9._~-]+/g, "-");
  const decision = decisions.find((each) => each.id === id.slice(0, 100));
  if (decision === undefined) return `no decision ${id}`;
  const input = Object.fromEntries(
    childrenOf(testCase, "inputNode").map((each) => [attributeOf(each, "name") ?? "", valueIn(each)]),
  );
  try {
    const data = await ask(decision, input);
    const isPassed = isSame(data, expected) || isSame(entryOf(data, name), expected);
    return isPassed ? undefined : `got ${shown(data)}, expected ${shown(expected)}`;
  } catch (error) {
    return `${String(error).slice(0, 200)}, expected ${shown(expected)}`;
  }
}

/** A result that is no object is the only entry of one; services with several outputs have an entry for each. */
function entryOf(data: unknown, name: string): unknown {
  if (!isObject(data)) return undefined;
  const values = Object.values(data);
  return Object.hasOwn(data, name) || values.length !== 1 ? data[name] : values[0];
}

function withImports(name: string, documents: readonly DmnDocument[]): readonly DmnDocument[] {
  const found = new Set(documents.filter((document) => document.name === name));
  for (const { text } of found) {
    for (const imported of childrenOf(readXml(text), "import")) {
      const namespace = attributeOf(imported, "namespace");
      for (const other of documents)
        if (attributeOf(readXml(other.text), "namespace") === namespace) found.add(other);
    }
  }
  return [...found];
}

function valueIn(element: XmlElement | undefined): Json {
  if (element === undefined) return null;
  const components = childrenOf(element, "component");
  if (components.length > 0)
    return Object.fromEntries(components.map((each) => [attributeOf(each, "name") ?? "", valueIn(each)]));
  const list = childOf(element, "list");
  const given = list ?? childOf(element, "value");
  if (given === undefined || attributeOf(given, "xsi:nil") === "true") return null;
  if (list !== undefined) return childrenOf(list, "item").map(valueIn);
  const type = (attributeOf(given, "xsi:type") ?? "xsd:string").replace(/^.*:/, "");
  if (type === "string") return given.text;
  const text = given.text.trim();
  if (type === "boolean") return text === "true";
  return ["decimal", "double", "integer"].includes(type) ? Number(text) : text;
}

/** As the kit compares: numbers to eight places, of which its expected results have no more in many cases. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number")
    return Math.abs(a - b) <= Math.max(1e-8, Math.abs(b) * 1e-14);
  if (typeof a === "string" && typeof b === "string") {
    const [one, other] = [temporal(a), temporal(b)];
    if (a === b || one === undefined || other === undefined) return a === b;
    return equals(one, other, new Run({ now: new Date() })) === true;
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
    );
  }
  return a === b;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Dates, times and durations are texts in JSON, of which two can mean the same. */
function temporal(text: string) {
  return (
    FeelDate.parse(text) ??
    FeelDateTime.parse(text) ??
    FeelTime.parse(text) ??
    DaysDuration.parse(text) ??
    MonthsDuration.parse(text)
  );
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 120);
}

export interface TckSummary {
  readonly passed: number;
  readonly total: number;
  readonly notNullPassed: number;
  readonly notNull: number;
  /** The mean of the folders' shares. */
  readonly meanOfFolders: number;
  readonly failed: readonly TckResult[];
  readonly folders: readonly { readonly name: string; readonly passed: number; readonly total: number }[];
}

/** Runs every folder of one level. @param host - by default, `evaluate` */
export async function runLevel(kit: string, level: string, host: Host = inProcess): Promise<TckSummary> {
  const results: TckResult[] = [];
  for (const folder of readdirSync(join(kit, level)))
    results.push(...(await runFolder(join(kit, level, folder), folder, host)));
  const folders = [...new Set(results.map(({ folder }) => folder))].map((name) => {
    const list = results.filter(({ folder }) => folder === name);
    return { name, passed: list.filter(({ isPassed }) => isPassed).length, total: list.length };
  });
  const notNull = results.filter(({ expectsNull }) => !expectsNull);
  return {
    passed: results.filter(({ isPassed }) => isPassed).length,
    total: results.length,
    notNullPassed: notNull.filter(({ isPassed }) => isPassed).length,
    notNull: notNull.length,
    meanOfFolders: folders.reduce((sum, { passed, total }) => sum + passed / total, 0) / folders.length,
    failed: results.filter(({ isPassed }) => !isPassed),
    folders,
  };
}
