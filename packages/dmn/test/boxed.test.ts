import { evaluate } from "@decern/core";
import { describe, expect, it } from "vitest";
import { loadDmn } from "../src/index.js";
import { dmn, escaped } from "./support/models.js";

const quiet = { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} };

/** The result of a decision that is one boxed expression. */
function boxed(expression: string): unknown {
  const [decision] = loadDmn(
    [dmn(`<decision name="D" id="d"><variable name="D"/>${expression}</decision>`)],
    { logger: quiet },
  );
  const result = decision && evaluate(decision, {});
  return result?.status === "OK" ? result.data : result;
}

function part(name: string, text: string): string {
  return `<${name}><literalExpression><text>${escaped(text)}</text></literalExpression></${name}>`;
}

describe("boxed conditions", () => {
  it.each([
    ["item > 1", [2, 3]],
    ["if item = 1 then null else true", [2, 3]],
    [`if item = 3 then "no" else true`, null],
    [`"no"`, null],
  ])("a filter by %s is %j", (match, expected) => {
    expect(boxed(`<filter>${part("in", "[1, 2, 3]")}${part("match", match)}</filter>`)).toEqual({
      D: expected,
    });
  });

  it.each([
    ["some", "if x = 1 then null else true", true],
    ["some", `if x = 1 then "no" else true`, null],
    ["some", `if x = 1 then true else "no"`, true],
    ["every", "if x = 1 then null else false", false],
    ["every", `if x = 1 then "no" else false`, null],
    ["every", `if x = 1 then true else "no"`, null],
  ])("%s of 1 and 2 satisfies %s: %j", (kind, condition, expected) => {
    const inside = part("in", "[1, 2]") + part("satisfies", condition);
    expect(boxed(`<${kind} iteratorVariable="x">${inside}</${kind}>`)).toEqual({ D: expected });
  });
});
