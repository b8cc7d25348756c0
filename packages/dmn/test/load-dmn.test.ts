import { readFileSync } from "node:fs";
import { DecernError, evaluate, toJsonSchema } from "@decern/core";
import { describe, expect, it } from "vitest";
import { loadDmn } from "../src/index.js";
import { dmn, input, literal, requiredDecision, requiredInput } from "./support/models.js";

const loan = dmn(`
  <itemDefinition name="tGrade"><typeRef>string</typeRef><allowedValues><text>"A", "B", "C"</text></allowedValues></itemDefinition>
  <itemDefinition name="tApplicant">
    <itemComponent name="age"><typeRef>number</typeRef><allowedValues><text>[0..150]</text></allowedValues></itemComponent>
    <itemComponent name="born"><typeRef>date</typeRef></itemComponent>
  </itemDefinition>
  ${input("Applicant", "tApplicant")}
  ${input("Grade", "tGrade")}
  ${input("Base rate", "number")}
  <decision name="Rate" id="rate">
    <variable name="Rate" typeRef="number"/>
    <informationRequirement>${requiredInput("Grade")}</informationRequirement>
    <informationRequirement>${requiredInput("Applicant")}</informationRequirement>
    <informationRequirement>${requiredInput("Base rate")}</informationRequirement>
    <decisionTable hitPolicy="FIRST">
      <input><inputExpression typeRef="string"><text>Grade</text></inputExpression></input>
      <input><inputExpression typeRef="number"><text>Applicant.age</text></inputExpression></input>
      <output name="rate" typeRef="number"/>
      <rule><description>Young and good</description><inputEntry><text>"A"</text></inputEntry><inputEntry><text>&lt; 30</text></inputEntry><outputEntry><text>Base rate</text></outputEntry></rule>
      <rule><inputEntry><text>"A","B"</text></inputEntry><inputEntry><text>-</text></inputEntry><outputEntry><text>Base rate + 0.01</text></outputEntry></rule>
    </decisionTable>
  </decision>
  ${literal("Offer text", `"at " + string(Rate)`, { typeRef: "string", requires: [requiredDecision("rate")] })}
  ${literal("Detail", "{rate: Rate, since: Applicant.born}", { requires: [requiredDecision("rate"), requiredInput("Applicant")] })}
`);

function byId(options?: Parameters<typeof loadDmn>[1]) {
  return new Map(loadDmn([loan], options).map((decision) => [decision.id, decision]));
}

const applicant = { age: 25, born: "2001-05-06" };

function run(id: string, given: unknown, options?: Parameters<typeof loadDmn>[1], profile?: unknown) {
  const decision = byId(options).get(id);
  if (decision === undefined) throw new Error(`no decision ${id}`);
  return evaluate(decision, given, profile);
}

describe("loadDmn", () => {
  it("makes a decision of each decision, with its name as id", () => {
    expect([...byId().keys()]).toEqual(["Rate", "Offer-text", "Detail"]);
  });

  it("names the row that decided, and every row as a rule", () => {
    const result = run("Rate", { Applicant: applicant, Grade: "A", "Base rate": 0.1 });
    expect(result).toMatchObject({
      status: "OK",
      data: { Rate: 0.1 },
      meta: { matchedRule: "Rate/1", explanation: 'Decision "Rate": rows "Rate/1"' },
    });
    const decision = byId().get("Rate");
    expect(decision?.ruleIds).toEqual(["Rate/1", "Rate/2", "Rate"]);
    expect(decision?.ruleDescriptions.get("Rate/1")).toBe("Young and good");
  });

  it("calculates with decimals, and reports rows of required decisions", () => {
    const result = run("Offer-text", { Applicant: applicant, Grade: "B", "Base rate": 0.2 });
    expect(result).toMatchObject({ data: { "Offer text": "at 0.21" }, meta: { matchedRule: "Rate/2" } });
  });

  it("returns dates as text, under the decision's name if the model does not say that it is a context", () => {
    const result = run("Detail", { Applicant: applicant, Grade: "A", "Base rate": 0.1 });
    expect(result).toMatchObject({ data: { Detail: { rate: 0.1, since: "2001-05-06" } } });
  });

  it.each([
    [{ Grade: "A", "Base rate": 1 }, "/Applicant", "required"],
    [{ Applicant: { age: 25 }, Grade: "A", "Base rate": 1 }, "/Applicant/born", "required"],
    [{ Applicant: { ...applicant, age: 200 }, Grade: "A", "Base rate": 1 }, "/Applicant/age", "enum"],
    [
      { Applicant: { ...applicant, born: "2001-02-30" }, Grade: "A", "Base rate": 1 },
      "/Applicant/born",
      "type",
    ],
    [{ Applicant: applicant, Grade: "D", "Base rate": 1 }, "/Grade", "enum"],
    [{ Applicant: applicant, Grade: "A", "Base rate": "1" }, "/Base rate", "type"],
    [[], "", "type"],
  ])("rejects %j at %s", (given, path, keyword) => {
    const result = run("Rate", given);
    expect(result).toMatchObject({ status: "INVALID_INPUT" });
    expect("errors" in result ? result.errors : []).toMatchObject([{ path, keyword }]);
  });

  it("has null of every type, as an input and as a result", () => {
    const result = run("Rate", { Applicant: applicant, Grade: "C", "Base rate": null });
    expect(result).toMatchObject({ status: "OK", data: { Rate: null } });
    expect(run("Rate", { Applicant: null, Grade: "A", "Base rate": 1 })).toMatchObject({ status: "OK" });
    expect(run("Rate", null)).toMatchObject({
      status: "INVALID_INPUT",
      errors: [{ path: "", keyword: "type" }],
    });
  });

  it("has no null of a type whose allowed values exclude it", () => {
    const result = run("Rate", { Applicant: applicant, Grade: null, "Base rate": 1 });
    expect(result).toMatchObject({ status: "INVALID_INPUT", errors: [{ path: "/Grade", keyword: "enum" }] });
    const grade = (values: string) =>
      `<itemDefinition name="t"><typeRef>string</typeRef><allowedValues><text>${values}</text></allowedValues></itemDefinition>` +
      literal("x", "null", { typeRef: "t" });
    const [strict] = loadDmn([dmn(grade('"a", "b"'))]);
    const [loose] = loadDmn([dmn(grade('"a", "b", null'))]);
    if (strict === undefined || loose === undefined) throw new Error("no decision");
    expect(() => evaluate(strict, {})).toThrow(expect.objectContaining({ code: "EVALUATION_FAILED" }));
    expect(evaluate(loose, {})).toMatchObject({ data: { x: null } });
  });

  it("returns null where the model says that the result is a context", () => {
    const item = `<itemDefinition name="t"><itemComponent name="a"><typeRef>number</typeRef></itemComponent></itemDefinition>`;
    const [decision] = loadDmn([dmn(item + literal("x", "null", { typeRef: "t" }))]);
    if (decision === undefined) throw new Error("no decision");
    expect(evaluate(decision, {})).toMatchObject({ status: "OK", data: null });
    expect(toJsonSchema(decision.outputSchema, "output")).toMatchObject({
      anyOf: [{ type: "object", required: ["a"] }, { type: "null" }],
    });
  });

  it("takes inputs from the profile", () => {
    const options = { profile: ["Base rate"] };
    const result = run("Rate", { Applicant: applicant, Grade: "A" }, options, { "Base rate": 0.3 });
    expect(result).toMatchObject({ data: { Rate: 0.3 } });
    expect(() => loadDmn([loan], { profile: ["Nothing"] })).toThrow(
      /no decision requires the input "Nothing"/,
    );
  });

  it("describes the input in JSON Schema", () => {
    const decision = byId().get("Rate");
    if (decision === undefined) throw new Error("no decision");
    expect(toJsonSchema(decision.inputSchema, "input")).toMatchObject({
      type: "object",
      required: ["Grade", "Applicant", "Base rate"],
      properties: {
        Grade: { type: "string", enum: ["A", "B", "C"] },
        Applicant: {
          anyOf: [
            {
              required: ["age", "born"],
              properties: {
                age: { minimum: 0, maximum: 150 },
                born: { anyOf: [{ format: "date" }, { type: "null" }] },
              },
            },
            { type: "null" },
          ],
        },
      },
    });
    expect(toJsonSchema(decision.outputSchema, "output")).toMatchObject({
      type: "object",
      required: ["Rate"],
      properties: { Rate: { anyOf: [{ type: "number" }, { type: "null" }] } },
    });
  });

  it("tells the logger why an expression is null", () => {
    const told: unknown[] = [];
    const [decision] = loadDmn([dmn(literal("x", `1 + "a"`))], {
      logger: { error() {}, warn: (details) => void told.push(details) },
    });
    if (decision === undefined) throw new Error("no decision");
    expect(evaluate(decision, {})).toMatchObject({ data: { x: null }, meta: { matchedRule: "x" } });
    expect(told).toMatchObject([
      { decision: "x", warnings: [{ code: "WRONG_TYPE", place: { element: "x", offset: 0 } }] },
    ]);
  });

  it("makes the same decision of documents that a log kept", () => {
    const decision = byId().get("Rate");
    const other = loadDmn([{ ...loan, text: loan.text.replace("0.01", "0.02") }]).find(
      ({ id }) => id === "Rate",
    );
    expect(decision?.contentHash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(other?.contentHash).not.toBe(decision?.contentHash);
  });
});

it.each(["toll.dmn", "toll-1.6.dmn"])("loads models of KIE's editor: %s", (name) => {
  const text = readFileSync(new URL(`models/${name}`, import.meta.url), "utf8");
  const decisions = loadDmn([{ name, text }]);
  expect(decisions.map(({ id }) => id)).toEqual(["Price-per-km", "Toll-to-pay"]);
  const toll = decisions.find(({ id }) => id === "Toll-to-pay");
  if (toll === undefined) throw new Error("no decision");
  const given = { Vehicle: { Class: "truck", Axles: 5 }, "Segments in km": [10, 0.333] };
  expect(evaluate(toll, given)).toMatchObject({
    data: { "Toll to pay": 5.17 },
    meta: { matchedRule: "Price per km/3" },
  });
  expect(evaluate(toll, { ...given, Vehicle: { Class: "bus", Axles: 1 } })).toMatchObject({
    status: "INVALID_INPUT",
    errors: [{ path: "/Vehicle/Class" }, { path: "/Vehicle/Axles" }],
  });
});

describe("options", () => {
  it.each([
    [{ dialect: "other" }, /dialect/],
    [{ limits: { steps: 0 } }, /limits.*steps/],
    [{ unknown: true }, /unknown/],
    [{ version: "" }, /version/],
  ])("%j are rejected", (options, message) => {
    const given: object = options;
    expect(() => loadDmn([loan], given)).toThrow(message);
  });

  it("documents are rejected that have no text", () => {
    expect(() => loadDmn([])).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  });

  it("limits are those of each evaluation", () => {
    const [decision] = loadDmn([dmn(literal("x", "count(for i in 1..500 return i)"))], {
      limits: { steps: 100 },
    });
    expect(() => decision && evaluate(decision, {})).toThrow(
      expect.objectContaining({ code: "EVALUATION_FAILED" }),
    );
  });
});

describe("models that are refused", () => {
  const problemsOf = (...documents: Parameters<typeof loadDmn>[0]) => {
    try {
      loadDmn(documents);
    } catch (error) {
      if (error instanceof DecernError && error.code === "INVALID_DECISION") return error.problems;
      throw error;
    }
    return [];
  };

  it.each([
    ["a document type", '<!DOCTYPE definitions [<!ENTITY a "b">]><definitions/>', "document type"],
    ["XML that is not well-formed", "<definitions>", "well-formed"],
    ["another language", "<definitions xmlns='urn:other'/>", "not a model of DMN"],
    ["elements nested too deep", "<a>".repeat(70), "nested more than 64 deep"],
    ["text that is no XML", "", "well-formed"],
  ])("%s", (_name, text, message) => {
    expect(problemsOf({ name: "bad.dmn", text })[0]?.message).toContain(message);
  });

  it("more than 10 MB", () => {
    const text = `<definitions>${" ".repeat(10 * 1024 * 1024)}</definitions>`;
    expect(problemsOf({ name: "big.dmn", text })[0]?.message).toContain("larger than 10 MB");
  });

  it.each([
    ["references to nothing", literal("a", "1", { requires: [requiredDecision("b")] }), "refers to urn:m#b"],
    [
      "cycles",
      literal("a", "1", { requires: [requiredDecision("b")] }) +
        literal("b", "1", { requires: [requiredDecision("a")] }),
      "requires itself",
    ],
    ["unknown types", literal("a", "1", { typeRef: "tNothing" }), 'there is no type "tNothing"'],
    [
      "types that contain themselves",
      `<itemDefinition name="t"><itemComponent name="t"><typeRef>t</typeRef></itemComponent></itemDefinition>${literal("a", "1", { typeRef: "t" })}`,
      "contains itself",
    ],
    ["two decisions of one id", literal("a b", "1") + literal("a-b", "1"), "would have the id a-b"],
  ])("%s", (_name, elements, message) => {
    const problems = problemsOf(dmn(elements));
    expect(problems.map((problem) => problem.message).join("\n")).toContain(message);
    expect(problems[0]?.message).toMatch(/^model\.dmn, line \d+: "/);
  });
});
