import type { Column, Condition } from "../cells/condition.js";
import type { OutputValue } from "../cells/parse-output.js";
import type { InputCell, OutputCell } from "../document/document.js";

/**
 * An input cell as the canonical document has it, so that a table has the same hash in each of its forms: a single number, boolean
 * or null is JSON, any value is `-`, and the rest is the text that was given.
 */
export function canonicalCondition(cell: InputCell, condition: Condition, { type }: Column): InputCell {
  if (condition.kind === "any") return "-";
  const [test, second] = condition.tests;
  if (second === undefined && test !== undefined && !condition.isNegated) {
    if (test.kind === "null") return null;
    if (test.kind === "compare" && test.operator === "=") {
      const { endpoint } = test;
      const isJson = type === "number" || type === "boolean";
      if (endpoint.kind === "literal" && isJson) return endpoint.value;
      // Spreadsheets take what begins with `=` for a formula.
      return String(cell).trim().replace(/^=\s*/, "");
    }
  }
  return typeof cell === "string" ? cell.trim() : cell;
}

/** An output cell as the canonical document has it. */
export function canonicalOutput(value: OutputValue, { type }: Column): OutputCell {
  if (value.kind === "absent") return "";
  if (value.kind === "computed") return value.text;
  const { value: constant } = value;
  if (type !== "text" || typeof constant !== "string") return constant;
  return needsQuotes(constant) ? JSON.stringify(constant) : constant;
}

/** Whether a text would be read as something else, or trimmed, or taken for a formula by a spreadsheet. */
function needsQuotes(text: string): boolean {
  return (
    text !== text.trim() ||
    text === "" ||
    text === "null" ||
    /^(?:["“”„«=+@\-\p{Pd}\t]|(?:profile|input)\.)/u.test(text) ||
    /[\r\n]/.test(text)
  );
}
