import { definedFunction } from "../feel/compile-calls.js";
import { compileFilterOf, compileForOf, compileQuantifiedOf } from "../feel/compile-loops.js";
import { type Evaluate, Frame } from "../feel/scope.js";
import type { Boxed, FunctionBox, TypedName } from "../model/model.js";
import type { Run } from "../values/run.js";
import { canonicalName } from "../values/text.js";
import { anyType, coerce, typeText } from "../values/type.js";
import { FeelFunction, type FeelValue, type Parameter, type Type } from "../values/value.js";
import type { BoxScope, CompiledBox } from "./element.js";
import { compileTable } from "./table.js";

/** Compiles a boxed expression. Its value is of its type, or null. */
export function compileBoxed(box: Boxed, scope: BoxScope): CompiledBox {
  const compiled = compilePlain(box, scope);
  return box.kind === "function" ? compiled : typed(compiled, box.typeRef, box.line, scope);
}

function typed(
  compiled: CompiledBox,
  typeRef: string | undefined,
  line: number,
  { element }: BoxScope,
): CompiledBox {
  const type = element.typeOf(typeRef, line);
  if (type.kind === "any") return compiled;
  const { body, height } = compiled;
  const place = { element: element.name, offset: 0 };
  return {
    height,
    body(frame) {
      const value = coerce(body(frame), type, frame.run);
      return value === undefined ? frame.run.warn("WRONG_TYPE", `no ${typeText(type)}`, place) : value;
    },
  };
}

type BoxOf<Kind extends Boxed["kind"]> = Extract<Boxed, { kind: Kind }>;

function deeper(parts: readonly CompiledBox[], body: Evaluate): CompiledBox {
  return { body, height: 2 + Math.max(0, ...parts.map(({ height }) => height)) };
}

function compilePlain(box: Boxed, scope: BoxScope): CompiledBox {
  switch (box.kind) {
    case "literal":
      return scope.element.compiler.body(box.text, scope.scope);
    case "table":
      return compileTable(box, scope);
    case "context":
      return compileContext(box, scope);
    case "list": {
      const items = box.items.map((item) => compileBoxed(item, scope));
      return deeper(items, (frame) => items.map(({ body }) => body(frame)));
    }
    case "relation":
      return compileRelation(box, scope);
    case "conditional":
      return compileConditional(box, scope);
    case "filter":
      return compileFilter(box, scope);
    case "for":
    case "some":
    case "every":
      return compileIteration(box, scope);
    case "invocation":
      return compileInvocation(box, scope);
    case "function":
      return compileFunction(box, scope);
  }
}

function compileRelation(box: BoxOf<"relation">, scope: BoxScope): CompiledBox {
  const rows = box.rows.map((row) =>
    row.map((cell, index) => typed(compileBoxed(cell, scope), box.columns[index]?.typeRef, cell.line, scope)),
  );
  const names = box.columns.map((column) => column.name);
  return deeper(rows.flat(), (frame) =>
    rows.map((row) => new Map(names.map((column, index) => [column, row[index]?.body(frame) ?? null]))),
  );
}

function compileConditional(box: BoxOf<"conditional">, scope: BoxScope): CompiledBox {
  const [condition, then, otherwise] = [box.condition, box.then, box.otherwise].map((part) =>
    compileBoxed(part, scope),
  );
  return deeper(
    [condition, then, otherwise].filter((part) => part !== undefined),
    (frame) => {
      const holds = condition?.body(frame) ?? null;
      if (holds !== null && typeof holds !== "boolean")
        return frame.run.warn("WRONG_TYPE", "a condition that is not a boolean", {
          element: scope.element.name,
          offset: 0,
        });
      return (holds === true ? then : otherwise)?.body(frame) ?? null;
    },
  );
}

function compileFilter(box: BoxOf<"filter">, scope: BoxScope): CompiledBox {
  const list = compileBoxed(box.in, scope);
  const match = compileBoxed(box.match, { ...scope, scope: scope.scope.ofItem() });
  return deeper(
    [list, match],
    compileFilterOf(list.body, match.body, true, { element: scope.element.name, offset: 0 }),
  );
}

function compileIteration(box: BoxOf<"for" | "some" | "every">, scope: BoxScope): CompiledBox {
  const list = compileBoxed(box.in, scope);
  const iterated = scope.scope.with([{ name: box.variable }]);
  const inner = box.kind === "for" ? iterated.with([{ name: "partial" }]) : iterated;
  const body = compileBoxed(box.body, { ...scope, scope: inner });
  const place = { element: scope.element.name, offset: 0 };
  const iterations = [{ from: list.body, to: undefined }];
  const loop =
    box.kind === "for"
      ? compileForOf(iterations, body.body, true, place)
      : compileQuantifiedOf(box.kind, iterations, body.body, true, place);
  return deeper([list, body], loop);
}

function compileFunction(box: BoxOf<"function">, scope: BoxScope): CompiledBox {
  const { compiler, name } = scope.element;
  const parts = compileFunctionBox(box, scope);
  if (typeof parts === "string")
    return { body: compiler.always("NOT_SUPPORTED", parts, { element: name, offset: 0 }), height: 1 };
  const call = (frame: Frame) => (args: readonly FeelValue[], run: Run) =>
    parts.body(new Frame(frame, args, run));
  return {
    body: (frame) => definedFunction({ name, ...parts, result: anyType, body: call(frame) }),
    height: 2,
  };
}

function compileContext(box: BoxOf<"context">, scope: BoxScope): CompiledBox {
  const entries: { readonly name: string | undefined; readonly compiled: CompiledBox }[] = [];
  let inner = scope.scope;
  for (const { variable, value } of box.entries) {
    const path = variable === undefined ? scope.path : `${scope.path}/${variable.name}`;
    const within = { ...scope, scope: inner, path };
    const compiled = compileBoxed(value, within);
    entries.push({
      name: variable?.name,
      compiled: variable === undefined ? compiled : typed(compiled, variable.typeRef, value.line, within),
    });
    if (variable !== undefined) inner = inner.with([variableOf(variable, value, scope)]);
  }
  const height = 2 + Math.max(0, ...entries.map(({ compiled }) => compiled.height));
  return {
    height,
    body(frame) {
      const values = new Map<string, FeelValue>();
      let current = frame;
      for (const { name, compiled } of entries) {
        const value = compiled.body(current);
        if (name === undefined) return value;
        values.set(name, value);
        current = new Frame(current, [value], frame.run);
      }
      return values;
    },
  };
}

function variableOf({ name, typeRef }: TypedName, value: Boxed, scope: Pick<BoxScope, "element">) {
  const type = scope.element.typeOf(typeRef, value.line);
  return { name, type: type.kind === "any" ? shapeOf(value, scope) : type };
}

/** The type of a boxed expression, as far as its form tells: the grammar has to know names inside values. */
export function shapeOf(box: Boxed | undefined, scope: Pick<BoxScope, "element">): Type {
  if (box === undefined) return anyType;
  const known = box.kind === "function" ? anyType : scope.element.typeOf(box.typeRef, box.line);
  if (known.kind !== "any") return known;
  switch (box.kind) {
    case "context": {
      const result = box.entries.at(-1);
      if (result !== undefined && result.variable === undefined) return shapeOf(result.value, scope);
      return {
        kind: "context",
        entries: new Map(
          box.entries.flatMap(({ variable, value }) =>
            variable === undefined ? [] : [[variable.name, variableOf(variable, value, scope).type]],
          ),
        ),
      };
    }
    case "relation":
      return {
        kind: "list",
        of: { kind: "context", entries: new Map(box.columns.map(({ name }) => [name, anyType])) },
      };
    case "table":
      if (box.outputs.length < 2) return anyType;
      return { kind: "context", entries: new Map(box.outputs.map(({ name }) => [name, anyType])) };
    case "filter":
      return shapeOf(box.in, scope);
    case "function":
      return { kind: "function", parameters: [], result: shapeOf(box.body, scope) };
    default:
      return anyType;
  }
}

function compileInvocation(box: BoxOf<"invocation">, scope: BoxScope): CompiledBox {
  const callee = compileBoxed(box.callee, scope);
  const bindings = box.bindings.map(({ parameter, value }) => ({
    name: parameter.name,
    value: typed(compileBoxed(value, scope), parameter.typeRef, value.line, scope),
  }));
  const place = { element: scope.element.name, offset: 0 };
  return {
    height: 2 + Math.max(callee.height, ...bindings.map(({ value }) => value.height)),
    body(frame) {
      const called = callee.body(frame);
      if (!(called instanceof FeelFunction))
        return frame.run.warn("NO_FUNCTION", "what is called is not a function", place);
      return called.callNamed(
        new Map(bindings.map(({ name, value }) => [name, value.body(frame)])),
        frame.run,
      );
    },
  };
}

export interface FunctionParts {
  readonly parameters: readonly Parameter[];
  /** In a frame of the arguments. */
  readonly body: Evaluate;
  readonly height: number;
}

/** @returns why there is no such function, for languages other than FEEL */
export function compileFunctionBox(box: FunctionBox, scope: BoxScope): FunctionParts | string {
  if (box.language.toUpperCase() !== "FEEL") return `functions of ${box.language} are not supported`;
  if (box.body === undefined) return "a function without a body";
  const parameters = box.parameters.map((parameter) => ({
    name: canonicalName(parameter.name),
    type: scope.element.typeOf(parameter.typeRef, box.line),
  }));
  return { parameters, ...compileBoxed(box.body, { ...scope, scope: scope.scope.with(parameters) }) };
}
