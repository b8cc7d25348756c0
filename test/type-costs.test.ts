// @module-tag one-node
import { fileURLToPath } from "node:url";
// The API of the compiler, which TypeScript 7 doesn't have.
import ts from "typescript5.9";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));

/** It exists in memory only, at a place that finds the packages. */
const file = `${root}packages/schema/test/generated-decisions.ts`;

const options: ts.CompilerOptions = {
  ...ts.convertCompilerOptionsFromJson(
    ts.readConfigFile(`${root}tsconfig.base.json`, ts.sys.readFile).config.compilerOptions,
    root,
  ).options,
  composite: false,
  emitDeclarationOnly: false,
  declarationMap: false,
  sourceMap: false,
  noEmit: true,
  // As users see the packages, apart from where they are.
  noUnusedLocals: false,
};

const schemas = {
  inputSchema:
    "Type.Object({ age: Type.Integer(), income: Type.Number(), kind: Type.Optional(Type.Enum(['a', 'b'])) })",
  outputSchema: "Type.Object({ approved: Type.Boolean(), rate: Type.Number() })",
  profileSchema: "Type.Object({ limit: Type.Number(), blocked: Type.Array(Type.String()) })",
};

/** @param schemaOf - how a decision writes one of its schemas */
function decisions(schemaOf: (name: keyof typeof schemas, index: number) => string, before = ""): string {
  const rules = Array.from(
    { length: 10 },
    (_, rule) =>
      `{ id: "r${rule}", when: (input, profile) => input.income > profile.limit + ${rule}, emit: (input) => ({ approved: input.age > 18, rate: ${rule} }) }`,
  ).join(",\n");
  const all = Array.from({ length: 50 }, (_, index) => {
    const names = ["inputSchema", "outputSchema", "profileSchema"] as const;
    const members = names.map((name) => `${name}: ${schemaOf(name, index)}`).join(", ");
    return `export const d${index} = defineDecision({ id: "d${index}", version: "1.0.0", ${members}, rules: [${rules}] });`;
  });
  const imports = `import { defineDecision } from "../../core/src/index.js";\nimport { Type } from "typebox";\nimport { typebox } from "../src/index.js";`;
  return [imports, before, ...all].join("\n");
}

const inline = decisions((name) => `typebox(${schemas[name]})`);

const hoisted = decisions(
  (name, index) => `${name}${index}`,
  Array.from({ length: 50 }, (_, index) =>
    Object.entries(schemas).map(([name, type]) => `const ${name}${index} = typebox(${type});`),
  )
    .flat()
    .join("\n"),
);

/** All other files, which are the same for each text. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Checks a text as that file. How often types were instantiated is the same each time, whatever the machine does. */
function check(text: string) {
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target, ...rest) => {
    if (name === file) return ts.createSourceFile(name, text, target);
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, target, ...rest));
    return parsed.get(name);
  };
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  const problems = program
    .getSemanticDiagnostics(source)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  return { problems, instantiations: program.getInstantiationCount() };
}

describe("50 decisions of 10 rules", () => {
  it("cost the compiler little more with inline typebox() than with hoisted schemas", () => {
    const one = check(inline);
    const other = check(hoisted);
    expect([one.problems, other.problems]).toEqual([[], []]);
    // Not nothing: each decision takes a part in it.
    expect(other.instantiations).toBeGreaterThan(50 * 100);
    expect(one.instantiations).toBeLessThanOrEqual(other.instantiations * 1.5);
  });

  it("are checked: a rule that reads what its schema lacks is reported", () => {
    expect(check(inline.replace("input.income >", "input.incme >")).problems).toEqual([
      expect.stringContaining("'incme'"),
    ]);
  });
});
