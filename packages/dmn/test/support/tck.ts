import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Decision, evaluate } from "@decern/core";
import { toJson } from "../../src/contract/json-values.js";
import { type DmnDocument, loadDmn, withImportedDmn } from "../../src/index.js";
import { readTests, type TestCase } from "../../src/tools/read-tests.js";
import { equals } from "../../src/values/compare.js";
import { defaultLimits, Run } from "../../src/values/run.js";
import { parseTemporal } from "../../src/values/temporal.js";
import { type FeelValue, isContext, isList } from "../../src/values/value.js";

/** One result of a case of the technology compatibility kit. */
interface TckResult {
  readonly folder: string;
  readonly testCase: string;
  readonly node: string;
  /** What is wrong, if anything. */
  readonly problem: string | undefined;
}

const quiet = { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} };
const run = new Run({ now: new Date() }, { ...defaultLimits, steps: Number.POSITIVE_INFINITY });

/** What evaluates the cases of one model. @returns `data` of the result */
type Host = (decisions: readonly Decision[]) => {
  readonly ask: (decision: Decision, input: unknown) => unknown;
  readonly close?: () => unknown;
};

const inProcess: Host = () => ({
  ask: (decision, input) => {
    const result = evaluate(decision, input);
    if (result.status !== "OK") throw new Error(JSON.stringify(result));
    return result.data;
  },
});

/** Runs every folder of one level. @param host - by default, `evaluate` */
export async function runLevel(kit: string, level: string, host: Host = inProcess) {
  const results: TckResult[] = [];
  for (const folder of readdirSync(join(kit, level)))
    results.push(...(await runFolder(join(kit, level, folder), folder, host)));
  return { total: results.length, failed: results.filter(({ problem }) => problem !== undefined) };
}

/** Runs the cases of one folder, each against its model and what that imports. */
async function runFolder(path: string, folder: string, host: Host): Promise<readonly TckResult[]> {
  const read = (ending: string): readonly DmnDocument[] =>
    readdirSync(path)
      .filter((name) => name.endsWith(ending))
      .map((name) => ({ name, text: readFileSync(join(path, name), "utf8") }));
  const documents = read(".dmn");
  const results: TckResult[] = [];
  for (const { text } of read(".xml")) {
    const { model, cases = [] } = readTests(text) ?? {};
    const document = documents.find(({ name }) => name === model);
    const decisions =
      document === undefined ? "there is no model" : load(withImportedDmn(document, documents));
    const { ask, close }: Partial<ReturnType<Host>> = typeof decisions === "string" ? {} : host(decisions);
    for (const testCase of cases) {
      for (const { name: node, value } of testCase.expected) {
        const problem =
          typeof decisions === "string" || ask === undefined
            ? String(decisions)
            : await problemOf(testCase, node, value, (id, input) => {
                const decision = decisions.find((each) => each.id === id);
                if (decision === undefined) throw new Error(`no decision ${id}`);
                return ask(decision, input);
              });
        results.push({ folder, testCase: testCase.id, node, problem });
      }
    }
    await close?.();
  }
  return results;
}

function load(documents: readonly DmnDocument[]): readonly Decision[] | string {
  try {
    return loadDmn(documents, { logger: quiet });
  } catch (error) {
    return String(error);
  }
}

async function problemOf(
  { invocable, given }: TestCase,
  node: string,
  expected: FeelValue,
  ask: (id: string, input: unknown) => unknown,
): Promise<string | undefined> {
  const id = (invocable ?? node).replace(/[^A-Za-z0-9._~-]+/g, "-").slice(0, 100);
  try {
    const data = await ask(
      id,
      Object.fromEntries(given.map(({ name, value }) => [name, toJson(value, run)])),
    );
    const isPassed = isSame(data, expected) || isSame(entryOf(data, node), expected);
    return isPassed ? undefined : `got ${JSON.stringify(data)}`;
  } catch (error) {
    return String(error);
  }
}

/** A result that is no object is the only entry of one; services with several outputs have an entry for each. */
function entryOf(data: unknown, name: string): unknown {
  if (!isObject(data)) return undefined;
  const values = Object.values(data);
  return Object.hasOwn(data, name) || values.length !== 1 ? data[name] : values[0];
}

/** As the kit compares: numbers to eight places, of which its expected results have no more in many cases. */
function isSame(json: unknown, expected: FeelValue): boolean {
  if (typeof json === "number" && typeof expected === "number")
    return Math.abs(json - expected) <= Math.max(1e-8, Math.abs(expected) * 1e-14);
  if (Array.isArray(json) && isList(expected))
    return (
      json.length === expected.length && json.every((item, index) => isSame(item, expected[index] ?? null))
    );
  if (isObject(json) && isContext(expected)) {
    const names = Object.keys(json);
    return (
      names.length === expected.size &&
      names.every((name) => expected.has(name) && isSame(json[name], expected.get(name) ?? null))
    );
  }
  // Two texts can mean the same date, time or duration.
  if (typeof json === "string" && typeof expected !== "string")
    return expected !== null && equals(parseTemporal(json) ?? null, expected, run) === true;
  return json === expected;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
