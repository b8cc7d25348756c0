import type { CompiledTests, Test } from "../feel/compile-tests.js";
import type { Evaluate, Frame } from "../feel/scope.js";
import type { TableBox } from "../model/model.js";
import type { Run, SourcePlace } from "../values/run.js";
import { anyType, coerce, typeText } from "../values/type.js";
import type { FeelValue, Type } from "../values/value.js";
import type { BoxScope, CompiledBox } from "./element.js";
import { rowId } from "./nested-tables.js";
import { type Matched, type Policy, policyOf } from "./policies.js";
import { RowIndex } from "./row-index.js";

interface Column {
  readonly value: Evaluate;
  readonly type: Type;
  readonly allowed: Test | undefined;
}

interface Row {
  readonly tests: readonly Test[];
  readonly outputs: readonly Evaluate[];
}

/** Compiles a decision table. Its hits are noted as `Decision/row`. */
export function compileTable(box: TableBox, { scope, element, path }: BoxScope): CompiledBox {
  const { compiler } = element;
  const testsOf = testsCompiler((text) => compiler.unaryTests(text, scope));
  const testOf = (text: string): Test => testsOf(text).test;
  const columns = box.inputs.map(
    ({ expression, typeRef, allowed }): Column => ({
      type: element.typeOf(typeRef, box.line),
      value: compiler.expression(expression, scope),
      allowed: allowed === undefined || allowed === "" ? undefined : testOf(allowed),
    }),
  );
  const outputTypes = box.outputs.map(({ typeRef }) => element.typeOf(typeRef, box.line));
  const rows = box.rules.map(
    ({ inputs, outputs }): Row => ({
      tests: inputs.map(testOf),
      outputs: outputs.map((text) => compiler.expression(text, scope)),
    }),
  );
  const otherwise = box.outputs.map(({ otherwise: text }) =>
    text === undefined || text === "" ? undefined : compiler.expression(text, scope),
  );
  const policy = policyOf(
    box,
    box.outputs.map(({ allowed }) => (allowed === undefined ? [] : prioritiesOf(allowed, testOf))),
  );
  const place = { element: element.name, offset: 0 };
  const ids = box.rules.map((_rule, index) => rowId(path, index));
  const index = RowIndex.of(box.rules.map((rule) => rule.inputs.map((text) => testsOf(text).constants)));
  const everyColumn = [...columns.keys()];

  const body: Evaluate = (frame) => {
    const { run } = frame;
    const values: FeelValue[] = [];
    for (const column of columns) {
      const value = inputOf(column, frame);
      if (value === undefined)
        return run.warn("TABLE", `input ${values.length + 1} has a value that is not allowed`, place);
      values.push(value);
    }
    const matched: Matched[] = [];
    run.tick(columns.length + (rows.length >> 5));
    const visit = (number: number, open: readonly number[]): boolean => {
      const row = rows[number];
      run.tick();
      if (row === undefined || !meetsAll(row.tests, open, values, frame)) return true;
      const outputs = row.outputs.map((cell, column) =>
        outputOf(cell(frame), outputTypes[column] ?? anyType, run, place),
      );
      matched.push({ row: number, outputs });
      return !policy.isFirst;
    };
    if (index === undefined) rows.every((_row, number) => visit(number, everyColumn));
    else index.visit(values, visit);
    if (matched.length === 0) return withoutHit(policy, box, otherwise, frame);
    const { value, rows: deciding, problem } = policy.decide(matched, frame);
    for (const row of deciding) run.hit(ids[row] ?? element.name);
    return problem === undefined ? value : run.warn("TABLE", problem, place);
  };
  return { body, height: 8 };
}

/** Cells repeat: equal texts share their tests. */
function testsCompiler(compile: (text: string) => CompiledTests): (text: string) => CompiledTests {
  const tests = new Map<string, CompiledTests>();
  return (text) => {
    const known = tests.get(text);
    if (known !== undefined) return known;
    const compiled = compile(text === "" ? "-" : text);
    tests.set(text, compiled);
    return compiled;
  };
}

/** @returns undefined for a value that the column does not allow */
function inputOf({ value, type, allowed }: Column, frame: Frame): FeelValue | undefined {
  const result = value(frame);
  if (result === null) return null;
  const typed = coerce(result, type, frame.run);
  if (typed === undefined || allowed === undefined) return typed;
  return allowed(typed, frame) === true ? typed : undefined;
}

/** @param columns - those that are not known to be met */
function meetsAll(
  tests: readonly Test[],
  columns: readonly number[],
  values: readonly FeelValue[],
  frame: Frame,
): boolean {
  for (const column of columns) {
    if (tests[column]?.(values[column] ?? null, frame) !== true) return false;
  }
  return true;
}

function outputOf(value: FeelValue, type: Type, run: Run, place: SourcePlace): FeelValue {
  const typed = coerce(value, type, run);
  return typed === undefined
    ? run.warn("WRONG_TYPE", `an output is not of type ${typeText(type)}`, place)
    : typed;
}

function withoutHit(
  policy: Policy,
  box: TableBox,
  otherwise: readonly (Evaluate | undefined)[],
  frame: Frame,
): FeelValue {
  if (otherwise.every((each) => each === undefined)) return policy.ofNothing;
  const values = otherwise.map((each) => each?.(frame) ?? null);
  const value = policy.combine(values);
  return policy.isList && box.aggregation === undefined ? [value] : value;
}

/** The tests of allowed values, highest priority first. */
function prioritiesOf(allowed: string, testOf: (text: string) => Test): readonly Test[] {
  const parts = allowed.match(/(?:"(?:[^"\\]|\\.)*"|\([^)]*\)|\[[^\]]*\]|[^,])+/g) ?? [];
  return parts.map((part) => testOf(part.trim()));
}
