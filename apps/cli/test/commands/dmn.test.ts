import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, describe, expect, it } from "vitest";
import { decern } from "../support/decern.js";

const folder = mkdtempSync(join(tmpdir(), "decern-dmn-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]) => decern(args, { cwd: folder });

function write(path: string, content: string): string {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
  return path;
}

function model(elements: string, namespace = "urn:m"): string {
  return `<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" name="m" namespace="${namespace}">\n${elements}\n</definitions>`;
}

const decision = (name: string, text: string, requires = "") =>
  `<decision name="${name}" id="${name}"><variable name="${name}"/>${requires}<literalExpression><text>${text}</text></literalExpression></decision>`;

function tests(file: string, expected: Readonly<Record<string, string>>): string {
  const cases = Object.entries(expected).map(
    ([name, value], index) =>
      `<testCase id="00${index + 1}"><resultNode name="${name}"><expected><value xsi:type="xsd:decimal">${value}</value></expected></resultNode></testCase>`,
  );
  return `<testCases><modelName>${file}</modelName>${cases.join("")}</testCases>`;
}

write("kit/compliance-level-2/0001-sum/sum.dmn", model(decision("Sum", "1 + 2")));
write("kit/compliance-level-2/0001-sum/0001-sum-test-01.xml", tests("sum.dmn", { Sum: "3" }));
write(
  "kit/compliance-level-3/0002-text/text.dmn",
  model(decision("Text", '"a, ""b"""') + decision("Two", "One + 1")),
);
write("kit/compliance-level-3/0002-text/0002-text-test-01.xml", tests("text.dmn", { Text: "1", Two: "2" }));

describe("decern dmn test", () => {
  it("0: counts by level and folder, in folders of folders", async () => {
    const ended = await run("dmn", "test", "kit", "--level", "2");
    expect(ended.stderr).toBe("");
    expect(ended.stdout).toBe(
      [
        "compliance-level-2: 1 of 1 (100 %); of those that expect more than null 1 of 1 (100 %); mean of folders 100 %",
        "  0001-sum: 1 of 1",
        "all cases pass",
        "",
      ].join("\n"),
    );
    expect(ended.code).toBe(0);
  });

  it("1: shows what was expected and what came out of each case that fails", async () => {
    const { code, stdout } = await run("dmn", "test", "kit");
    expect(code).toBe(1);
    expect(stdout).toContain("  0002-text: 0 of 2\n");
    expect(stdout).toContain('failed: compliance-level-3/0002-text, 0002-text-test-01.xml, case "002"\n');
    expect(stdout).toMatch(/^ {2}"Two": expected 2, got null \(UNKNOWN_NAME: .*"One"\)$/m);
    expect(stdout).toMatch(/^2 cases failed$/m);
  });

  it("prints JSON", async () => {
    const { levels, failed } = JSON.parse((await run("dmn", "test", "kit", "--json")).stdout);
    expect(levels).toMatchObject([
      { level: "compliance-level-2", passed: 1, total: 1, meanOfFolders: 1 },
      {
        level: "compliance-level-3",
        passed: 0,
        total: 2,
        notNull: { passed: 0, total: 2 },
        folders: [{ folder: "0002-text", passed: 0, total: 2 }],
      },
    ]);
    expect(failed).toMatchObject([
      { folder: "0002-text", id: "001", results: [{ name: "Text", expected: "1" }] },
      { folder: "0002-text", id: "002", results: [{ name: "Two", expected: "2" }] },
    ]);
  });

  it("writes the kit's own files, of which the kit's report and a reader of CSV find the same fields", async () => {
    const { code, stderr } = await run("dmn", "test", "kit", "--csv");
    expect(code).toBe(1);
    expect(stderr).toBe("decern: tck_results.csv: 3 cases; tck_results.properties says of what\n");
    const csv = readFileSync(join(folder, "tck_results.csv"), "utf8");
    // How Reporter.java of the kit splits lines and fields.
    const fields = csv
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
    expect(fields.map((line) => line.slice(0, 4))).toEqual([
      ['"compliance-level-2/0001-sum"', '"0001-sum-test-01"', '"001"', '"SUCCESS"'],
      ['"compliance-level-3/0002-text"', '"0002-text-test-01"', '"001"', '"ERROR"'],
      ['"compliance-level-3/0002-text"', '"0002-text-test-01"', '"002"', '"ERROR"'],
    ]);
    expect(fields.map((line) => line.length)).toEqual([5, 5, 5]);
    const connection = await (await DuckDBInstance.create()).connect();
    const read = await connection.runAndReadAll(
      `select * from read_csv('${join(folder, "tck_results.csv")}', header = false, all_varchar = true)`,
    );
    expect(read.getRows().map((row) => row[4])).toEqual([
      null,
      expect.stringMatching(/^"Text": expected 1, got /),
      expect.stringMatching(/^"Two": expected 2, got null/),
    ]);
    connection.closeSync();
    const properties = readFileSync(join(folder, "tck_results.properties"), "utf8");
    for (const name of ["vendor.name", "vendor.url", "product.name", "product.url", "product.version"])
      expect(properties).toMatch(new RegExp(`^${name}=.+$`, "m"));
    expect(properties).toMatch(/^last\.update=\d{4}-\d\d-\d\d$/m);
  });

  it("writes them where it is told", async () => {
    const { stderr } = await run("dmn", "test", "kit", "--level", "2", "--csv", "own.csv");
    expect(stderr).toMatch(/^decern: own\.csv: 1 case; own\.properties/);
    expect(readFileSync(join(folder, "own.csv"), "utf8")).toBe(
      '"compliance-level-2/0001-sum","0001-sum-test-01","001","SUCCESS",""\n',
    );
  });

  it.each([
    ["XML that is not well-formed", "<testCases><testCase", /not well-formed/],
    ["a document type", '<!DOCTYPE a [<!ENTITY a "aaaa">]><testCases/>', /document type/],
    ["elements nested too deep", `<testCases>${"<item>".repeat(70)}`, /more than 64 deep/],
    ["no such model", tests("other.dmn", { Sum: "3" }), /there is no model other\.dmn/],
  ])("1: fails the file with %s, and runs the others", async (_what, content, problem) => {
    write("bad/sum.dmn", model(decision("Sum", "1 + 2")));
    write("bad/a.xml", content);
    write("bad/b.xml", tests("sum.dmn", { Sum: "3" }));
    const { code, stdout } = await run("dmn", "test", "bad");
    expect(code).toBe(1);
    expect(stdout).toMatch(problem);
    expect(stdout).toContain("  bad: 1 of 2\n");
  });

  it.each([
    [["dmn", "test", "none"], /cannot read none \(ENOENT\)/],
    [["dmn", "test", "empty"], /there are no test cases in empty/],
    [["dmn", "test", "kit", "--csv", "none/a.csv"], /cannot write none\/a\.csv \(ENOENT\)/],
    [["dmn", "test", "kit", "--level", "1"], /--level must be 2 or 3/],
  ])("1: %j", async (args, message) => {
    mkdirSync(join(folder, "empty"), { recursive: true });
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

describe("decern dmn check", () => {
  it("0: warns of what is not supported, by element and line", async () => {
    const file = write(
      "java.dmn",
      model(
        `${decision("One", "1")}\n${decision("Abs", 'function(a) external {java: {class: "java.lang.Math", method signature: "abs(int)"}}')}`,
      ),
    );
    const ended = await run("dmn", "check", file);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toMatch(
      /^warning: java\.dmn, line 3: "Abs": functions of Java and PMML are not supported in: /,
    );
    expect(ended.stdout).toMatch(/\njava\.dmn: valid\n$/);
  });

  it("1: names the element and line of each problem, of every file", async () => {
    const wrong = write(
      "wrong.dmn",
      model(`\n${decision("Fee", "1").replace('"Fee"/>', '"Fee" typeRef="tFee"/>')}`),
    );
    const { code, stdout } = await run("dmn", "check", wrong, "java.dmn");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^wrong\.dmn, line 3: "Fee": there is no type "tFee"\nwrong\.dmn: has errors\n/);
    expect(stdout).toMatch(/java\.dmn: valid\n$/);
    const found = JSON.parse((await run("dmn", "check", wrong, "--json")).stdout);
    expect(found).toEqual([
      {
        file: "wrong.dmn",
        isValid: false,
        tables: [],
        findings: [
          {
            severity: "error",
            file: "wrong.dmn",
            line: 3,
            element: "Fee",
            message: 'there is no type "tFee"',
          },
        ],
      },
    ]);
  });

  it("1: rejects a model in another encoding, whose names would be others", async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${model(decision("Gr\u00f6\u00dfe", "1"))}`;
    writeFileSync(join(folder, "latin.dmn"), Buffer.from(text, "latin1"));
    expect(await run("dmn", "check", "latin.dmn")).toEqual({
      code: 1,
      stdout: "",
      stderr: "decern: latin.dmn is not text in UTF-8\n",
    });
  });

  it("analyses tables: gaps are reported, and rows that contradict each other are errors", async () => {
    const table = (first: string, second: string) => {
      const rows = [first, second].map(
        (cell, row) =>
          `<rule><inputEntry><text>${cell}</text></inputEntry><outputEntry><text>${row}</text></outputEntry></rule>`,
      );
      const inputs = '<inputData name="Weight" id="w"><variable name="Weight" typeRef="number"/></inputData>';
      const requires = '<informationRequirement><requiredInput href="#w"/></informationRequirement>';
      return model(
        `${inputs}\n<decision name="Fee" id="f"><variable name="Fee"/>${requires}<decisionTable hitPolicy="UNIQUE"><input><inputExpression typeRef="number"><text>Weight</text></inputExpression></input><output typeRef="number"/>${rows.join("")}</decisionTable></decision>`,
      );
    };
    const gap = await run("dmn", "check", write("gap.dmn", table("&lt; 5", "> 5")));
    expect(gap).toMatchObject({ code: 0, stderr: "" });
    expect(gap.stdout).toMatch(
      /^gap\.dmn, line 3: "Fee": gap: no row for .*5.*\{"Weight":5\}\ngap\.dmn: valid\n$/,
    );
    const overlap = await run("dmn", "check", write("overlap.dmn", table("&lt;= 5", ">= 5")));
    expect(overlap.code).toBe(1);
    expect(overlap.stdout).toMatch(/line 3: "Fee": error: rows "Fee\/1", "Fee\/2" overlap.*\{"Weight":5\}/);
    expect(overlap.stdout).toMatch(/overlap\.dmn: has errors\n$/);
    const other = await run("dmn", "check", write("other.dmn", table("&lt; Weight * 2", "-")));
    expect(other.code).toBe(0);
    expect(other.stdout).toMatch(/line 3: "Fee" is not analysed: .+\nother\.dmn: valid\n$/);
  });

  it("reads imported models from the same folder, and no others", async () => {
    write("models/lower.dmn", model(decision("One", "1"), "urn:lower"));
    write("models/broken.dmn", "<definitions");
    const imports =
      '<import name="low" namespace="urn:lower" importType="https://www.omg.org/spec/DMN/20230324/MODEL/"/>';
    const requires =
      '<informationRequirement><requiredDecision href="urn:lower#One"/></informationRequirement>';
    const upper = write("models/upper.dmn", model(`${imports}${decision("Two", "low.One + 1", requires)}`));
    expect(await run("dmn", "check", upper)).toMatchObject({ code: 0, stdout: "models/upper.dmn: valid\n" });
    rmSync(join(folder, "models/lower.dmn"));
    expect((await run("dmn", "check", upper)).stdout).toContain("urn:lower#One, which no document has");
  });

  it("reads free names as inputs in the dialect of Camunda", async () => {
    const file = write("season.dmn", model(decision("Dish", "season")));
    expect((await run("dmn", "check", file)).stdout).toMatch(/^warning: .*"season"/);
    expect((await run("dmn", "check", file, "--dialect", "camunda")).stdout).toBe("season.dmn: valid\n");
  });

  it("1: a file that can't be read", async () => {
    const { code, stderr } = await run("dmn", "check", "none.dmn");
    expect(code).toBe(1);
    expect(stderr).toBe("decern: cannot read none.dmn (ENOENT)\n");
  });
});

describe("a model in place of a module", () => {
  it("is evaluated and locked", async () => {
    const file = write("fee/fee.dmn", model(decision("Fee", "1 + 2")));
    const evaluated = await decern(["eval", file, "Fee"], { cwd: folder, input: "{}" });
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ status: "OK", data: { Fee: 3 } });
    expect((await run("lock", file)).code).toBe(0);
    expect((await run("lock", file, "--check")).code).toBe(0);
    write("fee/fee.dmn", model(decision("Fee", "1 + 3")));
    const changed = await run("lock", file, "--check");
    expect(changed.code).not.toBe(0);
    expect(changed.stdout + changed.stderr).toContain("Fee");
  });

  it("is named with its problems when it is rejected", async () => {
    const { code, stderr } = await run("eval", "wrong.dmn", "Fee", "--input", "wrong.dmn");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^decern: wrong\.dmn: .*line 3: "Fee": there is no type "tFee"/);
  });
});
