import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type DmnDocument, type DmnTestResult, testDmn } from "../src/index.js";

const kit = new URL("tck/", import.meta.url).pathname;

function runLevel(level: string): readonly (DmnTestResult & { readonly folder: string })[] {
  return readdirSync(`${kit}${level}`).flatMap((folder) => {
    const path = `${kit}${level}/${folder}`;
    const files = (end: string): readonly DmnDocument[] =>
      readdirSync(path)
        .filter((name) => name.endsWith(end))
        .map((name) => ({ name, text: readFileSync(`${path}/${name}`, "utf8") }));
    return testDmn(files(".dmn"), files(".xml")).map((result) => ({ folder, ...result }));
  });
}

describe("the technology compatibility kit", () => {
  it("level 2: every case passes", () => {
    const results = runLevel("compliance-level-2");
    expect(results.filter(({ status }) => status !== "SUCCESS")).toEqual([]);
    expect(results).toHaveLength(75);
  });

  it("level 3: every case passes but those that call Java", () => {
    const results = runLevel("compliance-level-3");
    const failed = results.filter(({ status }) => status !== "SUCCESS");
    expect([...new Set(failed.map(({ folder }) => folder))]).toEqual(["0076-feel-external-java"]);
    expect(failed).toHaveLength(9);
    expect(results).toHaveLength(1967);
  });
});
