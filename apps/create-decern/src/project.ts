import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { base, type Choices, hosts, layersOf, partsOf } from "./choices.js";

const template = fileURLToPath(new URL("../template/", import.meta.url));

/** The text of each file of a project, by its path. */
export type ProjectFiles = ReadonlyMap<string, string>;

/**
 * The files of a project.
 *
 * @param folder - that it will have; the package is called after it
 */
export function projectFiles(folder: string, choices: Choices): ProjectFiles {
  const name = packageName(folder);
  const request = `-H 'content-type: application/json' -d '${hosts[choices.host].body('{"amount":9000,"score":580}')}'`;
  const values: Readonly<Record<string, string>> = {
    name,
    curl: `curl -s localhost:3000/decisions/loan-approval ${request}`,
  };
  const files = new Map([
    ["package.json", `${JSON.stringify(manifest(name, choices), undefined, 2)}\n`],
    ["biome.json", biomeSettings],
  ]);
  for (const layer of layersOf(choices)) {
    for (const [path, text] of filesOf(join(template, layer)))
      files.set(
        path,
        text.replaceAll(/\{\{(\w+)\}\}/g, (mark, value) => values[value] ?? mark),
      );
  }
  return files;
}

/** npm leaves files such as `.gitignore` out of packages, so the template has `_` in place of the dot. */
function filesOf(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = relative(folder, file).replaceAll(sep, "/").replace(/^_/, ".");
      return [path, readFileSync(file, "utf8")];
    });
}

function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return name === "" ? "decisions" : name;
}

/** As the template is formatted. In the template, Biome would take it for settings of this repository. */
const biomeSettings = `{
  "files": { "includes": ["src/**/*.ts"] },
  "formatter": { "indentStyle": "space", "lineWidth": 110 }
}
`;

function manifest(name: string, choices: Choices): object {
  const packages = [base, ...partsOf(choices)];
  const checkTable = "decern table check tables/shipping-fee.csv --contract src/shipping-fee.contract.ts";
  return {
    name,
    version: "0.0.0",
    private: true,
    type: "module",
    engines: { node: ">=20.19.0" },
    scripts: {
      build: "tsc",
      dev: hosts[choices.host].dev,
      lint: ["biome check .", ...(choices.table ? [checkTable] : [])].join(" && "),
      lock: "decern lock src/decisions.ts",
      replay: "decern replay records --against src/decisions.ts --allow 0.5%",
      start: "node dist/server.js",
      test: "node --import tsx --test src/*.test.ts",
    },
    dependencies: versions(packages.flatMap(({ dependencies }) => dependencies)),
    devDependencies: versions(packages.flatMap(({ devDependencies = [] }) => devDependencies)),
  };
}

/** Those that the template is checked with: this package's own development dependencies. */
function versions(names: readonly string[]): object {
  const own: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return Object.fromEntries([...names].sort().map((name) => [name, own.devDependencies[name]]));
}

/** Why a project cannot be written into a folder; `undefined` if it can. */
export function folderProblem(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  try {
    return readdirSync(folder).length === 0 ? undefined : `${folder} is not empty`;
  } catch {
    return `${folder} is not a folder that can be read`;
  }
}

/**
 * Writes a project. All of it is written to a folder alongside, which is then renamed: nothing is left half-written.
 *
 * @param folder - absolute; it does not exist, or is empty
 */
export function writeProject(folder: string, files: ProjectFiles): void {
  const parent = dirname(folder);
  mkdirSync(parent, { recursive: true });
  const partial = join(parent, `.${basename(folder)}-${randomUUID()}`);
  try {
    for (const [path, text] of files) {
      const file = join(partial, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    // A shell may stand in a folder that exists, so that one stays, and gets the contents.
    if (existsSync(folder)) {
      for (const name of readdirSync(partial)) renameSync(join(partial, name), join(folder, name));
    } else {
      renameSync(partial, folder);
    }
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
