import type { InputCell } from "../document/document.js";
import type { Column, Condition, Endpoint, Scalar, Test } from "./condition.js";
import {
  CellError,
  numberFrom,
  numberPattern,
  quotedPattern,
  quotedText,
  type References,
  refuseDecimalComma,
  refuseTypography,
  timeFrom,
  timePattern,
} from "./literals.js";
import { refuseNever } from "./never.js";
import { isOrdered, typeNames } from "./scalar.js";
import { Scanner } from "./scanner.js";

const anyCondition: Condition = Object.freeze({ kind: "any" });

/**
 * Parses an input cell.
 *
 * @throws CellError for text outside the grammar, and for what the column's values can never meet
 */
export function parseCondition(cell: InputCell, column: Column, references: References): Condition {
  const condition =
    typeof cell === "string" ? parseText(cell.trim(), column, references) : jsonCondition(cell, column);
  refuseNever(condition, column);
  return condition;
}

function jsonCondition(cell: Exclude<InputCell, string>, column: Column): Condition {
  if (cell === null) return isOne({ kind: "null" });
  if (typeof cell !== column.type) {
    const advice =
      column.type === "text"
        ? `; write it as text, "${cell}" in quotation marks, or format the cell as text`
        : "";
    throw new CellError(
      `${cell} is ${typeof cell === "number" ? "a number" : "true or false"}, ` +
        `and the column holds ${typeNames[column.type]}${advice}`,
    );
  }
  if (!Number.isFinite(cell) && typeof cell === "number") throw new CellError("is not a finite number");
  return isOne({ kind: "compare", operator: "=", endpoint: { kind: "literal", value: cell } });
}

function isOne(test: Test): Condition {
  return { kind: "tests", isNegated: false, tests: [test] };
}

function parseText(text: string, column: Column, references: References): Condition {
  if (text === "" || text === "-") return anyCondition;
  refuseTypography(text);
  refuseDecimalComma(text);
  return new ConditionParser(text, column, references).parse();
}

const operatorPattern = /<=|>=|!=|<|>|=/y;

/** In text columns: up to what separates tests. */
const barePattern = /(?:(?!\.\.)[^,"()[\]<>=!])+/y;

/** In other columns: for messages. */
const wordPattern = /[^,()[\]<>=!\s]+/y;

class ConditionParser {
  readonly #scanner: Scanner;
  readonly #column: Column;

  constructor(text: string, column: Column, references: References) {
    this.#scanner = new Scanner(text, references);
    this.#column = column;
  }

  parse(): Condition {
    const isNegated = this.#scanner.take(/not\s*\(/y) !== undefined;
    const tests = [this.#test()];
    while (this.#scanner.take(/\s*,/y) !== undefined) tests.push(this.#test());
    if (isNegated && this.#scanner.take(/\s*\)/y) === undefined)
      throw new CellError(`"not(" has no ")" at its end`);
    this.#scanner.skipBlanks();
    if (!this.#scanner.isAtEnd) throw this.#scanner.unexpected("a condition");
    return { kind: "tests", isNegated, tests };
  }

  #test(): Test {
    this.#scanner.skipBlanks();
    if (this.#scanner.isAtEnd || this.#scanner.text[this.#scanner.at] === ",")
      throw new CellError("a value is missing before or after a comma");
    if (this.#scanner.take(/null(?=\s*(?:[,)]|$))/y) !== undefined) return { kind: "null" };
    const bracket = this.#scanner.take(/[[(]/y);
    if (bracket !== undefined) return this.#interval(bracket[0] === "[");
    const operator = this.#scanner.take(operatorPattern)?.[0];
    if (operator === undefined) return { kind: "compare", operator: "=", endpoint: this.#endpoint() };
    if (operator !== "=" && operator !== "!=") this.#refuseUnordered(operator);
    this.#scanner.skipBlanks();
    if (this.#scanner.take(/null(?=\s*(?:[,)]|$))/y) !== undefined) {
      if (operator === "=") return { kind: "null" };
      throw new CellError(`"${operator} null" is unknown; write not(null) for any value that is there`);
    }
    // The pattern has these six only.
    return { kind: "compare", operator: operator as "=", endpoint: this.#endpoint() };
  }

  #interval(isLowClosed: boolean): Test {
    this.#refuseUnordered("..");
    const low = this.#endpoint();
    if (this.#scanner.take(/\s*\.\./y) === undefined)
      throw new CellError(`"${this.#scanner.text}" lacks ".." between the ends of an interval, as in [1..5]`);
    const high = this.#endpoint();
    const bracket = this.#scanner.take(/\s*[\])]/y)?.[0];
    if (bracket === undefined)
      throw new CellError(`"${this.#scanner.text}" lacks "]" or ")" at the end of an interval`);
    const isHighClosed = bracket.endsWith("]");
    if (low.kind === "literal" && high.kind === "literal") {
      const isEmpty = low.value > high.value || (low.value === high.value && !(isLowClosed && isHighClosed));
      if (isEmpty) throw new CellError(`"${this.#scanner.text}" has an empty interval`);
    }
    return { kind: "interval", low, isLowClosed, high, isHighClosed };
  }

  #refuseUnordered(operator: string): void {
    const { type } = this.#column;
    if (isOrdered(type)) return;
    throw new CellError(
      `the column holds ${typeNames[type]}, which "${operator}" cannot compare; use = or !=`,
    );
  }

  #endpoint(): Endpoint {
    this.#scanner.skipBlanks();
    const reference = this.#scanner.takeReference(this.#column.type);
    if (reference !== undefined) return { kind: "reference", ...reference };
    return { kind: "literal", value: this.#literal() };
  }

  #literal(): Scalar {
    const { type } = this.#column;
    const quoted = this.#scanner.take(quotedPattern)?.[0];
    if (quoted !== undefined) {
      if (type === "text") return this.#member(quotedText(quoted));
      // Dates in quotation marks are the same in JSON.
      if (type !== "number" && type !== "boolean") return timeFrom(type, quotedText(quoted));
      throw new CellError(`${quoted} is a text, and the column holds ${typeNames[type]}`);
    }
    if (type === "text") return this.#bare();
    if (this.#scanner.isAtEnd) throw new CellError(`"${this.#scanner.text}" lacks a value at its end`);
    if (type === "boolean") {
      const word = this.#word();
      // Spreadsheets write them in capitals.
      if (/^(?:true|false)$/i.test(word)) return word.toLowerCase() === "true";
      throw new CellError(`"${word}" is neither true nor false`);
    }
    if (type === "number") {
      const start = this.#scanner.at;
      const number = this.#scanner.take(numberPattern)?.[0];
      if (number !== undefined && this.#endsValue()) return this.#member(numberFrom(number));
      this.#scanner.at = start;
      throw new CellError(`"${this.#word()}" is not a number, and the column holds numbers`);
    }
    const start = this.#scanner.at;
    // A point can be the first of the two in an interval.
    const time = this.#scanner.take(timePattern)?.[0].replace(/\.\..*$/, "") ?? "";
    this.#scanner.at = start + time.length;
    if (time !== "" && this.#endsValue()) return timeFrom(type, time);
    this.#scanner.at = start;
    if (time !== "") return timeFrom(type, this.#word());
    throw new CellError(`"${this.#word()}" is not one of the ${typeNames[type]} that the column holds`);
  }

  /** Whether what separates values comes next, or the end. */
  #endsValue(): boolean {
    const { text, at } = this.#scanner;
    return /^(?:\.\.|[\s,)\]]|$)/.test(text.slice(at, at + 2));
  }

  #bare(): Scalar {
    const bare = this.#scanner.take(barePattern)?.[0].trim() ?? "";
    if (bare === "" || (!this.#scanner.isAtEnd && !/[,)]/.test(this.#scanner.text[this.#scanner.at] ?? "")))
      throw new CellError(`"${this.#scanner.text}" is not a text; put it in quotation marks`);
    return this.#member(bare);
  }

  #member<Value extends Scalar>(value: Value): Value {
    const { members } = this.#column;
    if (members === undefined || members.includes(value)) return value;
    // Comparing with a number between the members is fine.
    if (this.#column.type === "number" && /[<>]|\.\./.test(this.#scanner.text)) return value;
    const shown = members.slice(0, 10).join(", ");
    throw new CellError(
      `${JSON.stringify(value)} is not one of the values that the input schema lists: ${shown}${members.length > 10 ? ", …" : ""}`,
    );
  }

  #word(): string {
    const start = this.#scanner.at;
    const word = this.#scanner.take(wordPattern)?.[0] ?? this.#scanner.text.slice(start, start + 1);
    return word.slice(0, 60);
  }
}
