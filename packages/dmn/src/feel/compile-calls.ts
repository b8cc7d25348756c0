import type { NodeOf } from "../syntax/node.js";
import type { Run } from "../values/run.js";
import { anyType, coerce } from "../values/type.js";
import { FeelFunction, type FeelValue, isList, type Parameter, type Type } from "../values/value.js";
import type { Compiling } from "./compiling.js";
import { type Evaluate, Frame, type Scope } from "./scope.js";

export function compileCall(node: NodeOf<"call">, scope: Scope, compiling: Compiling): Evaluate {
  const callee = compiling.compile(node.callee, scope);
  const args = node.args.map((arg) => compiling.compile(arg, scope));
  const place = compiling.placeOf(node);
  return (frame) => {
    const { run } = frame;
    run.tick();
    const called = functionOf(callee(frame));
    if (called === undefined) return run.warn("NO_FUNCTION", "what is called is not a function", place);
    const values = args.map((arg) => arg(frame));
    return called.call(values, run);
  };
}

export function compileCallNamed(node: NodeOf<"callNamed">, scope: Scope, compiling: Compiling): Evaluate {
  const callee = compiling.compile(node.callee, scope);
  const args = node.args.map(({ name, value }) => ({ name, value: compiling.compile(value, scope) }));
  const place = compiling.placeOf(node);
  if (new Set(args.map(({ name }) => name)).size < args.length)
    return compiling.always("WRONG_ARGUMENTS", "two arguments of one name", place);
  return (frame) => {
    const { run } = frame;
    run.tick();
    const called = functionOf(callee(frame));
    if (called === undefined) return run.warn("NO_FUNCTION", "what is called is not a function", place);
    return called.callNamed(new Map(args.map(({ name, value }) => [name, value(frame)])), run);
  };
}

function functionOf(value: FeelValue): FeelFunction | undefined {
  if (value instanceof FeelFunction) return value;
  const [only] = isList(value) && value.length === 1 ? value : [];
  return only instanceof FeelFunction ? only : undefined;
}

export function compileFunction(node: NodeOf<"function">, scope: Scope, compiling: Compiling): Evaluate {
  const place = compiling.placeOf(node);
  if (node.isExternal)
    return compiling.always("NOT_SUPPORTED", "functions of Java and PMML are not supported", place);
  const parameters: Parameter[] = [];
  for (const { name, type } of node.parameters) {
    const known = type === undefined ? anyType : compiling.typeOf(type);
    if (known === undefined) return compiling.always("UNKNOWN_NAME", "an unknown type", place);
    parameters.push({ name, type: known });
  }
  const { body, height } = compiling.compileBody(node.body, scope.with(parameters));
  return (frame) =>
    definedFunction({
      name: "",
      parameters,
      result: anyType,
      height,
      body: (args, run) => body(new Frame(frame, args, run)),
    });
}

/** A function whose body is an expression of a model. */
export function definedFunction(parts: {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly result: Type;
  readonly height: number;
  readonly body: (args: readonly FeelValue[], run: Run) => FeelValue;
}): FeelFunction {
  const { name, parameters, result, height, body } = parts;
  const call = (args: readonly FeelValue[], run: Run): FeelValue => {
    if (args.length !== parameters.length)
      return run.warn("WRONG_ARGUMENTS", `function ${name} takes ${parameters.length} arguments`);
    const values: FeelValue[] = [];
    for (const [index, { name: parameter, type }] of parameters.entries()) {
      const value = coerce(args[index] ?? null, type, run);
      if (value === undefined)
        return run.warn(
          "WRONG_ARGUMENTS",
          `function ${name}: argument ${JSON.stringify(parameter)} has another type`,
        );
      values.push(value);
    }
    run.enter(height + 3);
    const value = body(values, run);
    run.leave(height + 3);
    const typed = coerce(value, result, run);
    return typed === undefined ? run.warn("WRONG_TYPE", `function ${name} returns another type`) : typed;
  };
  const callNamed = (args: ReadonlyMap<string, FeelValue>, run: Run): FeelValue => {
    const known = new Set(parameters.map(({ name: parameter }) => parameter));
    if ([...args.keys()].some((arg) => !known.has(arg)))
      return run.warn("WRONG_ARGUMENTS", `function ${name} has parameters of other names`);
    // What a name does not give is null.
    return call(
      parameters.map(({ name: parameter }) => args.get(parameter) ?? null),
      run,
    );
  };
  return new FeelFunction({ name, parameters, result, call, callNamed });
}
