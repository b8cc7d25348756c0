import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type DmnDocument, testDmn } from "../src/index.js";
import { dmn, input, literal, requiredInput } from "./support/models.js";

const fee = dmn(
  input("Weight", "number") +
    literal("Fee", "Weight * 2", { typeRef: "number", requires: [requiredInput("Weight")] }),
);

function tests(cases: string, model = "<modelName>model.dmn</modelName>") {
  const text = `<testCases xmlns="http://www.omg.org/spec/DMN/20160719/testcase" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">${model}${cases}</testCases>`;
  return [{ name: "fee-test-01.xml", text }];
}

function feeCase(weight: number, expected: string): string {
  return `<testCase id="of ${weight}"><inputNode name="Weight"><value xsi:type="xsd:decimal">${weight}</value></inputNode>${result("Fee", expected)}</testCase>`;
}

function result(name: string, expected: string): string {
  return `<resultNode name="${name}" type="decision"><expected>${expected}</expected></resultNode>`;
}

const decimal = (value: number) => `<value xsi:type="xsd:decimal">${value}</value>`;

const kit = new URL("tck/", import.meta.url).pathname;

function runLevel(level: string) {
  return readdirSync(`${kit}${level}`).flatMap((folder) => {
    const path = `${kit}${level}/${folder}`;
    const files = (end: string): readonly DmnDocument[] =>
      readdirSync(path)
        .filter((name) => name.endsWith(end))
        .map((name) => ({ name, text: readFileSync(`${path}/${name}`, "utf8") }));
    return testDmn(files(".dmn"), files(".xml")).map((result) => ({ folder, ...result }));
  });
}

describe("testDmn", () => {
  it("passes level 2 of the compatibility kit", () => {
    const results = runLevel("compliance-level-2");
    expect(results.filter(({ status }) => status !== "SUCCESS")).toEqual([]);
    expect(results).toHaveLength(75);
  });

  it("passes level 3 but for the cases that call Java", () => {
    const results = runLevel("compliance-level-3");
    const failed = results.filter(({ status }) => status !== "SUCCESS");
    expect([...new Set(failed.map(({ folder }) => folder))]).toEqual(["0076-feel-external-java"]);
    expect(failed).toHaveLength(9);
    expect(results).toHaveLength(1967);
  });

  it("says of each case what was expected and what came out", () => {
    const cases = feeCase(3, decimal(6)) + feeCase(4, decimal(9)) + feeCase(5, '<value xsi:nil="true"/>');
    expect(testDmn([fee], tests(cases))).toEqual([
      {
        file: "fee-test-01.xml",
        id: "of 3",
        status: "SUCCESS",
        problem: undefined,
        results: [{ name: "Fee", isPassed: true, isNullExpected: false, expected: "6", got: "6" }],
      },
      expect.objectContaining({
        status: "ERROR",
        results: [{ name: "Fee", isPassed: false, isNullExpected: false, expected: "9", got: "8" }],
      }),
      expect.objectContaining({
        status: "ERROR",
        results: [{ name: "Fee", isPassed: false, isNullExpected: true, expected: "null", got: "10" }],
      }),
    ]);
  });

  it("fails a case of which one result of several is wrong, and ignores one that expects nothing", () => {
    const model = dmn(literal("A", "1") + literal("B", "2"));
    const cases = `<testCase id="both">${result("A", decimal(1))}${result("B", decimal(3))}</testCase><testCase id="none"/>`;
    expect(testDmn([model], tests(cases)).map(({ status }) => status)).toEqual(["ERROR", "IGNORED"]);
  });

  it("names the warning behind a null, and the limit that a case crosses", () => {
    const model = dmn(
      literal("Odd", "1 + nothing") + literal("Endless", "count(for i in 1..1000000 return i)"),
    );
    const cases = `<testCase id="a">${result("Odd", decimal(1))}${result("Endless", decimal(1))}</testCase>`;
    const [{ results = [] } = {}] = testDmn([model], tests(cases));
    expect(results.map(({ got }) => got)).toEqual([
      expect.stringMatching(/^null \(UNKNOWN_NAME: .*nothing/),
      expect.stringMatching(/more than/),
    ]);
  });

  it("resolves imports among the models, and leaves out those that the model doesn't import", () => {
    const lower = dmn(literal("One", "1")).text.replace("urn:m", "urn:lower");
    const upper = dmn(
      `<import name="low" namespace="urn:lower" importType="https://www.omg.org/spec/DMN/20230324/MODEL/"/>${literal("Two", "low.One + 1", { requires: ['<requiredDecision href="urn:lower#One"/>'] })}`,
    );
    // The same namespace as the tested model, as an older version of it has.
    const older = { name: "older.dmn", text: dmn(literal("Two", "0")).text };
    const broken = { name: "broken.dmn", text: "<definitions>" };
    const cases = `<testCase id="a">${result("Two", decimal(2))}</testCase>`;
    const models = [{ name: "lower.dmn", text: lower }, upper, older, broken];
    expect(testDmn(models, tests(cases))).toMatchObject([{ status: "SUCCESS" }]);
    expect(testDmn([upper, broken], tests(cases))).toMatchObject([
      {
        status: "ERROR",
        problem: expect.stringMatching(/urn:lower#One.*broken\.dmn, line 1: has XML/),
        results: [],
      },
    ]);
  });

  it.each([
    [
      "no model of that name",
      tests(feeCase(3, decimal(6)), "<modelName>other.dmn</modelName>"),
      /no model other\.dmn/,
    ],
    [
      "no decision of that name",
      tests(`<testCase id="a">${result("Cost", decimal(1))}</testCase>`),
      undefined,
    ],
    ["XML that is not well-formed", [{ name: "a.xml", text: "<testCases><testCase>" }], /not well-formed/],
    [
      "a document type",
      [{ name: "a.xml", text: "<!DOCTYPE a [<!ENTITY b 'c'>]><testCases/>" }],
      /document type/,
    ],
    [
      "elements nested too deep",
      [{ name: "a.xml", text: `<testCases>${"<list>".repeat(100)}` }],
      /more than 64 deep/,
    ],
    ["a result without a name", tests('<testCase id="a"><resultNode/></testCase>'), /no name/],
  ])("fails with %s", (_what, files, problem) => {
    const [found] = testDmn([fee], files);
    expect(found?.status).toBe("ERROR");
    if (problem === undefined) expect(found?.results[0]?.got).toMatch(/no decision "Cost"/);
    else expect(found?.problem).toMatch(problem);
  });

  it("takes the only model for a test that names none, and other XML for no test", () => {
    expect(testDmn([fee], tests(feeCase(3, decimal(6)), ""))).toMatchObject([{ status: "SUCCESS" }]);
    expect(testDmn([fee], [{ name: "pom.xml", text: "<project/>" }])).toEqual([]);
  });
});
