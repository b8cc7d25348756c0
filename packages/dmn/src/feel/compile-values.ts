import type { NodeOf } from "../syntax/node.js";
import { compare } from "../values/compare.js";
import { parseTemporal } from "../values/temporal.js";
import { FeelRange, type FeelValue } from "../values/value.js";
import type { Compiling } from "./compiling.js";
import { type Evaluate, Frame, type Scope } from "./scope.js";

export function compileAt(node: NodeOf<"at">, compiling: Compiling): Evaluate {
  const { text } = node;
  const value = parseTemporal(text);
  if (value === undefined)
    return compiling.always(
      "INVALID_VALUE",
      `no date, time or duration: ${JSON.stringify(text)}`,
      compiling.placeOf(node),
    );
  return () => value;
}

export function compileIf(node: NodeOf<"if">, scope: Scope, compiling: Compiling): Evaluate {
  const condition = compiling.compile(node.condition, scope);
  const then = compiling.compile(node.then, scope);
  const otherwise = compiling.compile(node.otherwise, scope);
  return (frame) => (condition(frame) === true ? then(frame) : otherwise(frame));
}

export function compileList(node: NodeOf<"list">, scope: Scope, compiling: Compiling): Evaluate {
  const items = node.items.map((item) => compiling.compile(item, scope));
  return (frame) => {
    frame.run.tick(items.length);
    return items.map((item) => item(frame));
  };
}

export function compileContext(node: NodeOf<"context">, scope: Scope, compiling: Compiling): Evaluate {
  const names = node.entries.map(({ name }) => name);
  if (new Set(names).size < names.length)
    return compiling.always(
      "INVALID_VALUE",
      "a context with two entries of one name",
      compiling.placeOf(node),
    );
  // Each entry sees those before it.
  const compiled: { readonly name: string; readonly value: Evaluate }[] = [];
  let inner = scope;
  for (const { name, value } of node.entries) {
    compiled.push({ name, value: compiling.compile(value, inner) });
    inner = inner.with([{ name }]);
  }
  return (frame) => {
    const entries = new Map<string, FeelValue>();
    let current = frame;
    frame.run.tick(compiled.length);
    for (const { name, value } of compiled) {
      const result = value(current);
      entries.set(name, result);
      current = new Frame(current, [result], frame.run);
    }
    return entries;
  };
}

export function compileRange(node: NodeOf<"range">, scope: Scope, compiling: Compiling): Evaluate {
  const start = compiling.compile(node.start, scope);
  const end = compiling.compile(node.end, scope);
  const { startIncluded, endIncluded } = node;
  const place = compiling.placeOf(node);
  return (frame) => {
    const from = start(frame);
    const to = end(frame);
    if (from !== null && to !== null && compare(from, to, frame.run) === undefined)
      return frame.run.warn("WRONG_TYPE", "a range between values that can't be compared", place);
    return new FeelRange(from, startIncluded, to, endIncluded);
  };
}
