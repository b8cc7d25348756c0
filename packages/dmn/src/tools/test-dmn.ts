import { type Linked, type ModelProblem, problemText } from "../graph/link.js";
import { ModelProgram } from "../graph/program.js";
import type { Model } from "../model/model.js";
import { XmlError } from "../model/xml.js";
import {
  checkDocuments,
  type DmnDocument,
  type DmnOptions,
  limitsOf,
  type Settings,
  settingsOf,
} from "../options.js";
import { readModels, withImports } from "../read-program.js";
import { equals } from "../values/compare.js";
import { Run } from "../values/run.js";
import { valueText } from "../values/text.js";
import { coerce } from "../values/type.js";
import { FeelFunction, type FeelValue, isContext, isList } from "../values/value.js";
import { readTests, type TestCase } from "./read-tests.js";

/** What a case of a test file came to. */
export interface DmnTestResult {
  /** The name of the test file. */
  readonly file: string;
  /** The case's id; empty for a file that can't be read. */
  readonly id: string;
  /** `IGNORED`: a case that expects nothing. */
  readonly status: "SUCCESS" | "ERROR" | "IGNORED";
  /** Why none of its results could be compared. */
  readonly problem: string | undefined;
  readonly results: readonly DmnNodeResult[];
}

/** One result that a case expects. */
export interface DmnNodeResult {
  /** The decision's name. */
  readonly name: string;
  readonly isPassed: boolean;
  readonly isNullExpected: boolean;
  /** As FEEL writes values. */
  readonly expected: string;
  /** As FEEL writes values, with the first warning; or the error. */
  readonly got: string;
}

/**
 * Runs test files in the form of the DMN technology compatibility kit.
 *
 * A file tests the model that it names, with what that imports of the other documents. Numbers are equal up to 10⁻⁸, as the kit's
 * runners have it. A document of another kind than test cases has no results.
 *
 * @param models - of one folder: tests name them by file, and they import each other by namespace
 * @throws DecernError `INVALID_OPTIONS`
 */
export function testDmn(
  models: readonly DmnDocument[],
  tests: readonly DmnDocument[],
  options: Pick<DmnOptions, "dialect" | "limits"> = {},
): readonly DmnTestResult[] {
  checkDocuments(tests);
  const folder = new TestedFolder(models, settingsOf(options));
  return tests.flatMap(({ name: file, text }) => {
    try {
      const { model, cases = [] } = readTests(text) ?? {};
      return cases.map((testCase) => folder.resultOf(file, model, testCase));
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      const problem = problemText({ file, line: error.line, element: undefined, message: error.message });
      return [{ file, id: "", status: "ERROR", problem, results: [] } as const];
    }
  });
}

interface Tested {
  readonly model: Model;
  readonly program: ModelProgram;
}

/** The models of a folder, each compiled when a test first names it. */
class TestedFolder {
  readonly #settings: Settings;
  readonly #models: readonly Model[];
  readonly #unreadable: readonly ModelProblem[];
  readonly #tested = new Map<string | undefined, Tested | string>();

  constructor(documents: readonly DmnDocument[], settings: Settings) {
    this.#settings = settings;
    const { models, problems } = readModels(documents);
    this.#models = models;
    this.#unreadable = problems;
  }

  resultOf(file: string, model: string | undefined, testCase: TestCase): DmnTestResult {
    const { id, expected } = testCase;
    const tested = this.#find(model);
    if (typeof tested === "string") return { file, id, status: "ERROR", problem: tested, results: [] };
    const results = expected.map((each) => this.#compare(tested, testCase, each));
    const passed = results.every(({ isPassed }) => isPassed) ? "SUCCESS" : "ERROR";
    const status = results.length === 0 ? "IGNORED" : passed;
    return { file, id, status, problem: undefined, results };
  }

  #find(file: string | undefined): Tested | string {
    const known = this.#tested.get(file);
    if (known !== undefined) return known;
    const found = this.#compile(file);
    this.#tested.set(file, found);
    return found;
  }

  /** @returns why there is no such model */
  #compile(file: string | undefined): Tested | string {
    const [only, ...others] = this.#models;
    const named = this.#models.find((each) => each.file === file);
    const model = file === undefined && others.length === 0 ? only : named;
    if (model === undefined) {
      if (file === undefined) return "names no model";
      const unreadable = this.#unreadable.find((each) => each.file === file);
      return unreadable === undefined ? `there is no model ${file}` : problemText(unreadable);
    }
    const program = new ModelProgram(withImports(model, this.#models), this.#settings.dialect);
    const [problem] = program.problems;
    // What is missing may be in a document that can't be read.
    return problem === undefined
      ? { model, program }
      : [problem, ...this.#unreadable].map(problemText).join("; ");
  }

  #compare(tested: Tested, testCase: TestCase, expected: TestCase["expected"][number]): DmnNodeResult {
    const { name, value: wanted } = expected;
    const run = new Run({ now: new Date() }, limitsOf(this.#settings));
    const base = { name, isNullExpected: wanted === null, expected: shown(wanted) };
    try {
      const value = evaluateNode(tested, testCase, name, run);
      const [warning] = run.warnings;
      const why = warning === undefined ? "" : ` (${warning.code}: ${warning.message})`;
      return { ...base, isPassed: isSame(value, wanted), got: `${shown(value)}${why}` };
    } catch (error) {
      return { ...base, isPassed: false, got: error instanceof Error ? error.message : String(error) };
    }
  }
}

function evaluateNode({ model, program }: Tested, testCase: TestCase, name: string, run: Run): FeelValue {
  const own = program.elements.filter((each) => each.model === model);
  const given = testCase.given.flatMap((input): readonly (readonly [Linked, FeelValue])[] => {
    const { namespace } = input;
    const first =
      namespace === undefined ? own : program.elements.filter((each) => each.model.namespace === namespace);
    const linked = named(first, input.name) ?? named(program.elements, input.name);
    return linked === undefined ? [] : [[linked, coerce(input.value, program.typeOf(linked), run) ?? null]];
  });
  if (testCase.invocable === undefined) {
    const target = named(own, name);
    if (target === undefined) throw new Error(`there is no decision ${JSON.stringify(name)}`);
    const state = program.newState();
    for (const [linked, value] of given) state.set(linked, value);
    return program.evaluate(target, state, run);
  }
  const called = named(own, testCase.invocable);
  const callee = called && program.evaluate(called, program.newState(), run);
  if (called === undefined || !(callee instanceof FeelFunction))
    throw new Error(`there is no function ${JSON.stringify(testCase.invocable)}`);
  const value = callee.callNamed(new Map(given.map(([linked, arg]) => [linked.element.name, arg])), run);
  return isContext(value) && program.outputsOf(called).length > 1 ? (value.get(name) ?? null) : value;
}

function named(elements: readonly Linked[], name: string): Linked | undefined {
  return elements.find(({ element }) => element.name === name);
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
  return equals(a, b, unlimited()) === true;
}

/** For values that exist already. */
function unlimited(): Run {
  const most = Number.POSITIVE_INFINITY;
  return new Run({ now: new Date() }, { steps: most, depth: most, list: most, text: most });
}

const mostShown = 200;

function shown(value: FeelValue): string {
  const text = typeof value === "string" ? JSON.stringify(value) : (valueText(value, unlimited()) ?? "null");
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
