import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { exampleFiles, examplesOf, pages, root } from "./page-examples.js";

const run = promisify(execFile);
// In the demo's folder, which can import every package and both frameworks.
const folder = mkdtempSync(resolve(root, "apps/demo/test/examples/.checked-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the examples of every page, and those in files", () => {
  it("type-check as they stand", async () => {
    const examples = [...pages().flatMap(examplesOf), ...exampleFiles()];
    expect(examples.length).toBeGreaterThan(10);
    const decisions = examples.find(
      ({ page, title }) => page.endsWith("getting-started.md") && title === "decisions.ts",
    );
    for (const [index, example] of examples.entries()) {
      const place = resolve(folder, example.page.replaceAll(/[^A-Za-z0-9]+/g, "-"));
      mkdirSync(place, { recursive: true });
      // On pages without their own `./decisions.js`, it means the decisions of "Getting started".
      const own = examples.some(({ page, title }) => page === example.page && title === "decisions.ts");
      if (!own) writeFileSync(resolve(place, "decisions.ts"), decisions?.code ?? "");
      const name = example.title ?? `example-${index}.ts`;
      writeFileSync(
        resolve(place, name),
        `// ${example.page}:${example.line}\n${example.code}\nexport {};\n`,
      );
    }
    const compilerOptions = {
      composite: false,
      declarationMap: false,
      sourceMap: false,
      emitDeclarationOnly: false,
      noEmit: true,
      noUnusedLocals: false,
    };
    const extended = resolve(root, "tsconfig.base.json");
    writeFileSync(
      resolve(folder, "tsconfig.json"),
      JSON.stringify({ extends: extended, compilerOptions, include: ["**/*.ts"] }),
    );
    const tsc = resolve(root, "node_modules/typescript/bin/tsc");
    const output = await run(process.execPath, [tsc, "-p", folder]).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
    expect(output).toBe("");
  });
});
