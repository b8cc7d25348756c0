import { toJsonSchema } from "@decern/core";
import { describe, expect, it } from "vitest";
import { analyzeDmnTables, type PlainTable } from "../src/index.js";
import { dmn, escaped, input, requiredInput } from "./support/models.js";

interface Column {
  readonly expression: string;
  readonly typeRef?: string;
  readonly cells: readonly string[];
}

/** A model of one table over the inputs `Age`, `Grade`, `Born` and `Applicant`. */
function tableOf(columns: readonly Column[], outputs: readonly string[], attributes = "", output = "") {
  const texts = (name: string, cells: readonly string[]) =>
    cells.map((cell) => `<${name}><text>${escaped(cell)}</text></${name}>`).join("");
  const rules = outputs.map(
    (cell, row) =>
      `<rule>${texts(
        "inputEntry",
        columns.map(({ cells }) => cells[row] ?? "-"),
      )}${texts("outputEntry", [cell])}</rule>`,
  );
  return dmn(`
    <itemDefinition name="tGrade"><typeRef>string</typeRef><allowedValues><text>"A", "B", "C"</text></allowedValues></itemDefinition>
    <itemDefinition name="tApplicant"><itemComponent name="Credit score"><typeRef>number</typeRef><allowedValues><text>[0..999]</text></allowedValues></itemComponent></itemDefinition>
    ${input("Age", "number")}${input("Grade", "tGrade")}${input("Born", "date")}${input("Applicant", "tApplicant")}
    <decision name="Rate" id="rate"><variable name="Rate"/>
      ${["Age", "Grade", "Born", "Applicant"].map((name) => `<informationRequirement>${requiredInput(name)}</informationRequirement>`).join("")}
      <decisionTable ${attributes}>
        ${columns.map(({ expression, typeRef = "" }) => `<input><inputExpression ${typeRef === "" ? "" : `typeRef="${typeRef}"`}><text>${expression}</text></inputExpression></input>`).join("")}
        <output>${output}</output>${rules.join("")}
      </decisionTable>
    </decision>`);
}

function plain(...args: Parameters<typeof tableOf>): PlainTable | string {
  const [table] = analyzeDmnTables([tableOf(...args)], (found) => ({ findings: found }));
  if (table === undefined) throw new Error("no table");
  return "findings" in table ? table.findings : table.notAnalysed;
}

const rulesOf = (table: PlainTable | string) =>
  typeof table === "string" ? table : Object(table.document).rules.map((rule: { if: unknown }) => rule.if);

describe("analyzeDmnTables", () => {
  it("names the table, its document and line", () => {
    const [table] = analyzeDmnTables([tableOf([{ expression: "Age", cells: ["> 5"] }], ["1"])], () => ({
      notAnalysed: "said the analysis",
    }));
    expect(table).toEqual({
      decision: "Rate",
      file: "model.dmn",
      line: 7,
      notAnalysed: "said the analysis",
    });
  });

  it("passes cells in the language of plain tables", () => {
    const numbers = ["[1..5)", "]1..5[", "-3, >= 10", "not(1, 2)", "? <= 4", "", "[1, 2]"];
    const grades = ['"A"', 'not("A", "B")', "-", '"A","B"', "-", "-", "-"];
    const dates = [`date("2026-01-31")`, `< @"2026-01-31"`, "-", "-", "-", "-", "-"];
    const table = plain(
      [
        { expression: "Age", cells: numbers },
        { expression: "Grade", cells: grades },
        { expression: "Born", cells: dates },
      ],
      numbers.map(() => "1"),
    );
    expect(rulesOf(table)).toEqual([
      ["[1..5)", '"A"', "2026-01-31"],
      ["(1..5)", 'not("A", "B")', "< 2026-01-31"],
      ["-3, >= 10", "-", "-"],
      ["not(1, 2)", '"A", "B"', "-"],
      ["<= 4", "-", "-"],
      ["-", "-", "-"],
      ["1, 2", "-", "-"],
    ]);
  });

  it("takes what the model says of the columns' values, without null", () => {
    const table = plain(
      [
        { expression: "Grade", typeRef: "string", cells: ['"A"'] },
        { expression: "Applicant.Credit score", typeRef: "number", cells: ["> 5"] },
        { expression: "Age * 2", typeRef: "number", cells: ["> 5"] },
        { expression: 'string length(string(Born) + "Age")', typeRef: "number", cells: ["> 5"] },
      ],
      ["1"],
    );
    if (typeof table === "string") throw new Error(table);
    const { inputSchema } = table.contract;
    expect(toJsonSchema(inputSchema, "input")).toMatchObject({
      properties: {
        Grade: { type: "string", enum: ["A", "B", "C"] },
        Applicant: { type: "object", properties: { "Credit score": { type: "number", maximum: 999 } } },
        "Age * 2": { type: "number" },
      },
    });
    const validate = (given: unknown) => inputSchema["~standard"].validate(given);
    const given = {
      Grade: "A",
      Applicant: { "Credit score": 5 },
      "Age * 2": 5,
      'string length(string(Born) + "Age")': 5,
    };
    expect(validate(given)).toEqual({ value: given });
    expect(validate({ ...given, Grade: null })).toHaveProperty("issues");
    expect(validate({ ...given, Applicant: null })).toHaveProperty("issues");
  });

  it.each([
    ["UNIQUE", "U", {}],
    ["ANY", "A", {}],
    ["FIRST", "F", {}],
    ["PRIORITY", "P", { priority: ["high", "low"] }],
    ["OUTPUT ORDER", "R", {}],
  ])("has the policy %s as %s", (policy, expected, priority) => {
    const values = `<outputValues><text>"high","low"</text></outputValues><defaultOutputEntry><text>"low"</text></defaultOutputEntry>`;
    const columns = [{ expression: "Age", cells: ["1", "2"] }];
    const table = plain(columns, ['"low"', '"high"'], `hitPolicy="${policy}"`, values);
    expect(table).toMatchObject({
      document: {
        hitPolicy: expected,
        outputs: [{ path: "result", ...priority }],
        rules: [
          { id: "Rate/1", then: ['"low"'] },
          { id: "Rate/2", then: ['"high"'] },
        ],
        default: ['"low"'],
      },
    });
  });

  it.each([
    ["a name", [{ expression: "Age", cells: ["1", "> Limit"] }], ["1", "2"], "", "row 2, Age is > Limit"],
    [
      "a function",
      [{ expression: "Grade", cells: ['contains(?, "A")'] }],
      ["1"],
      "",
      'row 1, Grade is contains(?, "A")',
    ],
    ["text that is no FEEL", [{ expression: "Age", cells: ["> > 5"] }], ["1"], "", "row 1, Age is > > 5"],
    [
      "values of another type",
      [{ expression: "now()", typeRef: "dateTime", cells: ["-"] }],
      ["1"],
      "",
      "the values of now() are of type date and time",
    ],
    [
      "a path and a part of it",
      [
        { expression: "Applicant", typeRef: "string", cells: ["-"] },
        { expression: "Applicant.Credit score", cells: ["-"] },
      ],
      ["1"],
      "",
      "two columns are about Applicant.Credit score",
    ],
    [
      "a path, and what is calculated from it",
      [
        { expression: "Age", cells: [">= 18"] },
        { expression: "Age &lt; 18", typeRef: "boolean", cells: ["-"] },
      ],
      ["1"],
      "",
      "Age < 18 is not the only column about Age",
    ],
    [
      "calculations from the same value",
      [
        { expression: "Applicant.Credit score + 1", typeRef: "number", cells: ["-"] },
        { expression: 'string(Age) + "Grade"', typeRef: "string", cells: ["-"] },
        { expression: "floor(Applicant.Credit score)", typeRef: "number", cells: ["-"] },
      ],
      ["1"],
      "",
      "Applicant.Credit score + 1 is not the only column about Applicant.Credit",
    ],
    [
      "results that are calculated, where they decide which rows are the same",
      [{ expression: "Age", cells: ["1"] }],
      ["Age + 1"],
      'hitPolicy="ANY"',
      "the output result is calculated, and the policy is ANY",
    ],
  ] satisfies readonly (readonly [string, readonly Column[], readonly string[], string, string])[])(
    "says by name that it has no analysis of %s",
    (_name, columns, outputs, attributes, expected) => {
      expect(plain(columns, outputs, attributes)).toBe(expected);
    },
  );

  it("rejects models that can't be loaded", () => {
    expect(() => analyzeDmnTables([{ name: "a.dmn", text: "<a/>" }], () => ({ findings: 1 }))).toThrow(
      expect.objectContaining({ code: "INVALID_DECISION" }),
    );
  });
});
