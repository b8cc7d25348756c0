import { evaluate } from "@decern/core";
import { describe, expect, it } from "vitest";
import { loadDmn } from "../src/index.js";
import { dmn, escaped } from "./support/models.js";

/** The result of a decision that is one boxed expression, and the codes of its warnings. */
function boxed(expression: string): { readonly data: unknown; readonly warnings: readonly unknown[] } {
  const warnings: unknown[] = [];
  const warn = (details: unknown) => warnings.push(details);
  const [decision] = loadDmn(
    [dmn(`<decision name="D" id="d"><variable name="D"/>${expression}</decision>`)],
    { logger: { error() {}, warn } },
  );
  const result = decision && evaluate(decision, {});
  return { data: result?.status === "OK" ? result.data : result, warnings };
}

function literalOf(text: string): string {
  return `<literalExpression><text>${escaped(text)}</text></literalExpression>`;
}

function part(name: string, text: string): string {
  return `<${name}>${literalOf(text)}</${name}>`;
}

describe("boxed conditions", () => {
  it.each([
    ["item > 1", [2, 3]],
    ["if item = 1 then null else true", [2, 3]],
    [`if item = 3 then "no" else true`, null],
    [`"no"`, null],
  ])("a filter by %s is %j", (match, expected) => {
    const { data } = boxed(`<filter>${part("in", "[1, 2, 3]")}${part("match", match)}</filter>`);
    expect(data).toEqual({ D: expected });
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
    const { data } = boxed(`<${kind} iteratorVariable="x">${inside}</${kind}>`);
    expect(data).toEqual({ D: expected });
  });
});

describe("a relation", () => {
  it("has values of its columns' types", () => {
    const cells = `<column name="a" typeRef="number"/><column name="b"/><row>${["[1]", '"x"'].map(literalOf).join("")}</row>
      <row>${['"y"', "2"].map(literalOf).join("")}</row>`;
    const { data, warnings } = boxed(`<relation>${cells}</relation>`);
    expect(data).toEqual({
      D: [
        { a: 1, b: "x" },
        { a: null, b: 2 },
      ],
    });
    expect(warnings).toMatchObject([{ warnings: [{ code: "WRONG_TYPE" }] }]);
  });
});

describe("warnings", () => {
  it.each([
    [`[1]["x"]`, []],
    [`some x in [1] satisfies "x"`, null],
  ])("name a condition of %s that is not a boolean", (text, expected) => {
    const { data, warnings } = boxed(literalOf(text));
    expect(data).toEqual({ D: expected });
    expect(warnings).toMatchObject([{ warnings: [{ code: "WRONG_TYPE" }] }]);
  });

  it("name an output of a table that is not of its type", () => {
    const output = `<output typeRef="number"/><rule><outputEntry><text>"x"</text></outputEntry></rule>`;
    const { data, warnings } = boxed(`<decisionTable>${output}</decisionTable>`);
    expect(data).toEqual({ D: null });
    expect(warnings).toMatchObject([
      { warnings: [{ code: "WRONG_TYPE", message: "an output is not of type number" }] },
    ]);
  });
});
