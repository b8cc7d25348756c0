import { describe, expect, it } from "vitest";
import { checkDmn } from "../src/index.js";
import { dmn, input, literal, requiredInput } from "./support/models.js";

const warnings = (elements: string) => checkDmn([dmn(elements)]);

describe("checkDmn", () => {
  it("finds nothing in a model that works", () => {
    expect(
      warnings(
        input("Weight", "number") + literal("Fee", "Weight * 2", { requires: [requiredInput("Weight")] }),
      ),
    ).toEqual([]);
  });

  it("tells the element and line of an error, and of each document", () => {
    const unknown = dmn(`\n\n${literal("Fee", "1", { typeRef: "tFee" })}`);
    const juel = dmn(
      '\n<decision name="Old"><literalExpression expressionLanguage="juel"><text>1</text></literalExpression></decision>',
    );
    expect(checkDmn([unknown])).toEqual([
      {
        severity: "error",
        file: "model.dmn",
        line: 3,
        element: "Fee",
        message: expect.stringContaining('"tFee"'),
        code: undefined,
        expression: undefined,
      },
    ]);
    expect(
      checkDmn([
        { ...juel, name: "a.dmn" },
        { name: "b.dmn", text: "<definitions>" },
      ]),
    ).toMatchObject([
      { file: "a.dmn", line: 2, element: "Old", message: "expressions of juel are not supported" },
      { file: "b.dmn", line: 1, element: undefined, message: "has XML that is not well-formed" },
    ]);
  });

  it("warns of allowed values that no value meets, because they are no tests", () => {
    const type = `\n<itemDefinition name="tGrade"><typeRef>string</typeRef><allowedValues><text>"A", 1 +</text></allowedValues></itemDefinition>`;
    expect(warnings(type + input("Grade", "tGrade"))).toMatchObject([
      { severity: "warning", line: 2, element: "tGrade", code: "SYNTAX", expression: '"A", 1 +' },
    ]);
  });

  it("finds two decisions that would have one id", () => {
    expect(warnings(`${literal("Base rate", "1")}\n${literal("Base-rate", "1")}`)).toMatchObject([
      { severity: "error", line: 2, element: "Base-rate", message: expect.stringContaining("id Base-rate") },
    ]);
  });

  it.each([
    ["SYNTAX", "1 +", "1 +"],
    ["UNKNOWN_NAME", "1 + Wieght", "1 + Wieght"],
    ["UNKNOWN_NAME", "1 instance of tFee", "1 instance of tFee"],
    ["INVALID_VALUE", '@"2026-13-01"', '@"2026-13-01"'],
    [
      "NOT_SUPPORTED",
      'function(a) external { java: { class: "java.lang.Math", method signature: "abs(int)" } }',
      'function(a) external { java: { class: "java.lang.Math", method signature: "abs(int)" } }',
    ],
  ])("warns of what is null whatever the input: %s in %s", (code, text, expression) => {
    expect(warnings(`\n${literal("Fee", text)}`)).toEqual([
      {
        severity: "warning",
        file: "model.dmn",
        line: 2,
        element: "Fee",
        message: expect.any(String),
        code,
        expression,
      },
    ]);
  });

  it("warns of functions of Java in business knowledge models and in boxed expressions", () => {
    const java = '<formalParameter name="a"/><context/>';
    const found = warnings(
      `<businessKnowledgeModel name="Abs"><encapsulatedLogic kind="Java">${java}</encapsulatedLogic></businessKnowledgeModel>
       <decision name="Fee"><context><contextEntry><variable name="One"/><literalExpression><text>1</text></literalExpression></contextEntry><contextEntry><variable name="Max"/><functionDefinition kind="PMML">${java}</functionDefinition></contextEntry></context></decision>`,
    );
    expect(found).toMatchObject([
      { code: "NOT_SUPPORTED", element: "Abs", line: 1, message: "functions of Java are not supported" },
      { code: "NOT_SUPPORTED", element: "Fee", line: 2, message: "functions of PMML are not supported" },
    ]);
    expect(found.map(({ expression }) => expression)).toEqual([undefined, undefined]);
  });

  it("warns of cells of tables", () => {
    const table = `<decision name="Fee"><decisionTable><input><inputExpression><text>1</text></inputExpression></input><output/>
      <rule><inputEntry><text>&lt; Limit</text></inputEntry><outputEntry><text>"a" ++</text></outputEntry></rule></decisionTable></decision>`;
    expect(warnings(table)).toMatchObject([
      { code: "UNKNOWN_NAME", element: "Fee", expression: "< Limit" },
      { code: "SYNTAX", element: "Fee", expression: '"a" ++' },
    ]);
  });

  it("knows no unknown names in the dialect of Camunda, where they are inputs", () => {
    const season = dmn(literal("Dish", 'if season = "winter" then 1 else 2'));
    expect(checkDmn([season])).toHaveLength(1);
    expect(checkDmn([season], { dialect: "camunda" })).toEqual([]);
  });

  it("stops at a hundred warnings", () => {
    const elements = Array.from({ length: 150 }, (_, index) => literal(`d${index}`, "x")).join("");
    expect(warnings(elements)).toHaveLength(100);
  });
});
