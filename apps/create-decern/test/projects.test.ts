import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { run as lintDockerfile } from "dockerfilelint";
import { afterAll, describe, expect, it } from "vitest";
import { type Choices, layersOf } from "../src/choices.js";
import { folderProblem, projectFiles, writeProject } from "../src/project.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
// Here, the packages of the template are found.
const folder = mkdtempSync(fileURLToPath(new URL("./.projects-", import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const combinations = (["server", "express", "fastify"] as const).flatMap((host) =>
  (["typebox", "zod", "arktype"] as const).flatMap((schema) =>
    [false, true].map((table): Choices => ({ host, schema, table })),
  ),
);

function filesOf(choices: Choices) {
  const files = projectFiles(join(folder, "Loans & Fees"), choices);
  return { files, manifest: JSON.parse(files.get("package.json") ?? "") };
}

/** The packages that the sources import. */
function importsOf(files: ReadonlyMap<string, string>): ReadonlySet<string> {
  const sources = [...files].filter(([path]) => path.endsWith(".ts")).map(([, text]) => text);
  const specifiers = sources.flatMap((text) => [...text.matchAll(/from "([^."][^"]*)"/g)]);
  return new Set(
    specifiers
      .map(([, specifier = ""]) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "")
      .filter((name) => !name.startsWith("node:")),
  );
}

describe.each(combinations)("a project with $host, $schema, table: $table", (choices) => {
  const { files, manifest } = filesOf(choices);

  it("has its files, without marks of the template", () => {
    const table = ["src/shipping-fee.contract.ts", "src/shipping-fee.schemas.ts", "src/shipping-fee.test.ts"];
    const expected = [
      ".dockerignore",
      ".github/workflows/ci.yml",
      ".gitignore",
      "Dockerfile",
      "README.md",
      "biome.json",
      "package.json",
      "src/decisions.ts",
      "src/loan-approval.schemas.ts",
      "src/loan-approval.test.ts",
      "src/loan-approval.ts",
      "src/server.ts",
      "src/settings.ts",
      ...(choices.table ? [...table, "tables/shipping-fee.csv"] : []),
      "tsconfig.json",
    ];
    expect([...files.keys()].sort()).toEqual(expected.sort());
    // GitHub's own marks have a dollar sign.
    expect([...files.values()].join("\n")).not.toMatch(/(?<!\$)\{\{/);
    expect(files.get("README.md")).toMatch(/^# loans-fees\n/);
  });

  it("installs what it imports, in known versions", () => {
    const { dependencies, devDependencies } = manifest;
    const withoutImports = ["@biomejs/biome", "@decern/cli", "@types/node", "tsx", "typescript"];
    const types = choices.host === "express" ? ["@types/express"] : [];
    expect(Object.keys(dependencies).sort()).toEqual([...importsOf(files)].sort());
    expect(Object.keys(devDependencies).sort()).toEqual([...withoutImports, ...types].sort());
    // JSON leaves undefined ones out, and the names would be missing.
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/\S/);
  });

  it("has each file in one of its layers only", () => {
    const paths = layersOf(choices).flatMap((layer) =>
      readdirSync(join(root, "apps/create-decern/template", layer), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).split(`/template/${layer}/`)[1]),
    );
    expect(new Set(paths).size).toBe(paths.length);
  });
});

it("every project type-checks with its own settings", async () => {
  const settings = combinations.map((choices, index) => {
    const place = join(folder, `project-${index}`);
    const { files } = filesOf(choices);
    writeProject(place, files);
    return files.get("tsconfig.json") ?? "";
  });
  const { compilerOptions } = JSON.parse(settings[0] ?? "");
  const options = { ...compilerOptions, rootDir: ".", noEmit: true };
  const check = async () => {
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
    return await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder]).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
  };
  expect(await check()).toBe("");
  // It looks into the projects.
  writeFileSync(join(folder, "project-0/src/wrong.ts"), "export const same = (value) => value;\n");
  expect(await check()).toMatch(/wrong\.ts.* error TS7006: /);
});

it.each(["express", "fastify"] as const)("with %s, it fails on a port in use", async (host) => {
  const place = join(folder, `busy-${host}`);
  writeProject(place, filesOf({ host, schema: "zod", table: false }).files);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const PORT = String(typeof address === "object" ? address?.port : address);
  const args = ["--conditions", "@decern/source", "--import", import.meta.resolve("tsx")];
  const env = { ...process.env, HOST: "127.0.0.1", PORT };
  const ended = await run(process.execPath, [...args, join(place, "src/server.ts")], { env }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  other.close();
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({
    code: 1,
    stdout: expect.not.stringMatching(/^Serving/),
  });
  expect(ended.stderr).toContain("EADDRINUSE");
});

it("has a Dockerfile that a linter accepts", () => {
  expect(
    lintDockerfile(".", readFileSync(join(root, "apps/create-decern/template/base/Dockerfile"), "utf8"), {}),
  ).toEqual([]);
});

describe("writing", () => {
  const files = new Map([
    ["src/a.ts", "a"],
    ["b.txt", "b"],
  ]);

  it("makes a new folder with those that lead to it, or fills an empty one", () => {
    const inside = join(folder, "new/deep");
    writeProject(inside, files);
    expect(readFileSync(join(inside, "src/a.ts"), "utf8")).toBe("a");
    const empty = join(folder, "empty");
    mkdirSync(empty);
    writeProject(empty, files);
    expect(readdirSync(empty).sort()).toEqual(["b.txt", "src"]);
  });

  it("finds out which folders it cannot use", () => {
    const full = join(folder, "full");
    writeProject(full, files);
    expect(folderProblem(full)).toBe(`${full} is not empty`);
    expect(folderProblem(join(full, "b.txt"))).toContain("is not a folder");
    expect(folderProblem(join(full, "other"))).toBeUndefined();
  });

  it("leaves nothing behind if a file cannot be written", () => {
    const place = join(folder, "half");
    // The second needs a folder where the first is a file.
    const impossible = new Map([
      ["a", "a"],
      ["a/b", "b"],
    ]);
    expect(() => writeProject(place, impossible)).toThrow(/EEXIST|ENOTDIR/);
    expect(existsSync(place)).toBe(false);
    expect(readdirSync(dirname(place)).filter((name) => name.includes(basename(place)))).toEqual([]);
  });
});
