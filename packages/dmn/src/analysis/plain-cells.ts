import type { Node } from "../syntax/node.js";
import { FeelSyntaxError } from "../syntax/node.js";
import { Grammar } from "../syntax/parse.js";

/** A table has something that the analysis of plain tables doesn't know; the message says what. */
export class NotAnalysed extends Error {
  override readonly name = "NotAnalysed";
}

const grammar = new Grammar({});

/**
 * A cell of a DMN table in the language of plain tables.
 *
 * @param place - of the cell, for the message
 * @throws NotAnalysed for a cell that says more than which values it has
 */
export function plainCell(text: string, place: string): string {
  if (text === "") return "-";
  try {
    const { isAny, isNegated, tests } = grammar.unaryTests(text);
    if (isAny) return "-";
    const plain = tests.map((test) => plainTest(test)).join(", ");
    return isNegated ? `not(${plain})` : plain;
  } catch (error) {
    if (error instanceof NotAnalysed || error instanceof FeelSyntaxError)
      throw new NotAnalysed(`${place} is ${text}`);
    throw error;
  }
}

function plainTest(node: Node): string {
  switch (node.kind) {
    case "test":
      return `${node.operator} ${plainEnd(node.endpoint)}`;
    case "range": {
      const [open, close] = [node.startIncluded ? "[" : "(", node.endIncluded ? "]" : ")"];
      return `${open}${plainEnd(node.start)}..${plainEnd(node.end)}${close}`;
    }
    case "list":
      return node.items.map(plainTest).join(", ");
    case "compare":
      if (node.left.kind === "name" && node.left.name === "?")
        return `${node.operator} ${plainEnd(node.right)}`;
      throw new NotAnalysed();
    default:
      return plainEnd(node);
  }
}

function plainEnd(node: Node): string {
  const value = literalOf(node);
  if (value === undefined) throw new NotAnalysed();
  return value;
}

/** @returns undefined for what isn't a literal */
function literalOf(node: Node): string | undefined {
  switch (node.kind) {
    case "literal":
      return JSON.stringify(node.value);
    case "negate": {
      const positive = literalOf(node.of);
      return positive === undefined ? undefined : `-${positive}`;
    }
    case "at":
      return node.text;
    case "call": {
      const [arg, other] = node.args;
      const isDate = node.callee.kind === "name" && node.callee.name === "date" && other === undefined;
      return isDate && arg?.kind === "literal" && typeof arg.value === "string" ? arg.value : undefined;
    }
    default:
      return undefined;
  }
}

/** The literals that tests list, such as allowed values. @returns undefined for other tests */
export function literalsOf(tests: string): readonly PlainOutput["value"][] | undefined {
  try {
    const nodes = grammar.unaryTests(tests).tests;
    const values = nodes.flatMap((node) => (node.kind === "literal" ? [node.value] : []));
    return values.length === nodes.length ? values : undefined;
  } catch (error) {
    if (error instanceof FeelSyntaxError) return undefined;
    throw error;
  }
}

/** What a row returns in one column. */
export interface PlainOutput {
  /** Of an expression that isn't a literal: its text. */
  readonly value: null | boolean | number | string;
  readonly isLiteral: boolean;
}

export function plainOutput(text: string): PlainOutput {
  try {
    const node = grammar.expression(text);
    return node.kind === "literal"
      ? { value: node.value, isLiteral: true }
      : { value: text, isLiteral: false };
  } catch (error) {
    if (error instanceof FeelSyntaxError) return { value: text, isLiteral: false };
    throw error;
  }
}
