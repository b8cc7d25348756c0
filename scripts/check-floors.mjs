// Checks that folders of a package import only folders below them. `pnpm run lint` runs it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folders in each package's `src`, lowest first. Folders in brackets stand side by side, and don't import each other. Files
 * that stand in `src` itself are above all folders, unless they are listed. A package without folders needs no list; one with
 * folders does.
 */
const floors = {
  "packages/core": ["base", "decision", "service", "http"],
  "packages/schema": [["dialect", "pattern"], "validate", "read"],
  "packages/table": ["document", "cells", "model.ts", ["contract", "engine", "files"], "analysis"],
  "packages/dmn": [
    "values",
    ["regex", "syntax"],
    "builtins",
    "feel",
    "model",
    "boxed",
    ["contract", "graph"],
    "analysis",
    "decision-logic.ts",
    "options.ts",
    "read-program.ts",
    "load-dmn.ts",
    "tools",
  ],
  "packages/openapi": ["document", "convert", "components", "paths", "mounts"],
  "packages/metrics": ["registry"],
  "packages/server": [
    "base",
    "manifest.ts",
    "reply",
    "connections",
    "request",
    ["auth", "batch", "pages"],
    ["options", "records", "routes"],
    "lifecycle",
    "parts",
  ],
  "packages/pages": [
    ["json", "styles"],
    "model",
    "parts",
    "service",
    "form",
    "draft",
    ["answer", "compare", "dmn", "history", "table"],
    "edit",
    "call",
    ["docs", "records", "swagger"],
  ],
  "packages/decision-log": [
    "text",
    "record",
    ["lines", "verify"],
    "lanes",
    "options.ts",
    ["files", "writing"],
  ],
  "packages/postgres": ["client", ["bulk", "log"]],
  "packages/bulk": ["items", ["filter", "formats", "worker"], "parts", "crew", "job"],
  "packages/nats": ["options.ts", "take"],
  "packages/replay": ["report", "judge", "gather"],
  "packages/testing": ["explore", "lock", "matchers"],
  "packages/warehouse": [["columns", "protocols"], "options.ts", "batch-evaluator.ts", "http"],
  "apps/cli": ["text", "command-line", ["module", "records"], ["bulk", "lint", "worker"], "commands"],
  "apps/demo": ["decisions"],
  "apps/site": ["base", ["engine", "markdown"], "sandbox", "page"],
};

const root = fileURLToPath(new URL("..", import.meta.url));
const packages = ["packages", "apps"].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => `${group}/${name}`),
);

/** Every import between two folders of a package, or between a folder and `src` itself, which is `""`. */
function importsOf(name) {
  const source = join(root, name, "src");
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .flatMap((entry) => {
      const path = relative(source, join(entry.parentPath, entry.name)).replaceAll(sep, "/");
      // Examples in comments import what a user would.
      const text = readFileSync(join(source, path), "utf8").replaceAll(/^\s*\*.*$/gm, "");
      return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g)]
        .map(([, specifier]) => posix.join(dirname(path), specifier))
        .map((target) => ({ path, target, from: placeOf(name, path), to: placeOf(name, target) }));
    })
    .filter(({ target, from, to }) => from !== to && !target.startsWith(".."));
}

/** The folder of a file, or the file itself if it has a floor of its own; otherwise `""`. */
function placeOf(name, path) {
  if (path.includes("/")) return path.slice(0, path.indexOf("/"));
  const file = path.replace(/\.js$/, ".ts");
  return (floors[name] ?? []).flat().includes(file) ? file : "";
}

/** What is wrong in a package whose order is declared. */
function orderProblems(name, order) {
  const levels = new Map(order.flatMap((floor, level) => [floor].flat().map((folder) => [folder, level])));
  const found = readdirSync(join(root, name, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && holdsSources(join(root, name, "src", entry.name)))
    .map((entry) => entry.name);
  const unlisted = found.filter((folder) => !levels.has(folder));
  const gone = [...levels.keys()].filter((place) => !existsSync(join(root, name, "src", place)));
  const upward = importsOf(name).filter(
    ({ from, to }) => from !== "" && (to === "" || levels.get(to) >= levels.get(from)),
  );
  return [
    ...unlisted.map((folder) => `${name}/src/${folder} has no floor: list it in scripts/check-floors.mjs`),
    ...gone.map((folder) => `scripts/check-floors.mjs lists ${name}/src/${folder}, which does not exist`),
    ...upward.map(
      ({ path, target, from, to }) =>
        `${name}/src/${path} imports ${target}, but ${to === "" ? "src itself" : to} is not below ${from}: ` +
        `move what both need into ${from} or a lower folder, or let the caller pass it in`,
    ),
  ];
}

function holdsSources(folder) {
  return readdirSync(folder, { recursive: true }).some((file) => /\.tsx?$/.test(file));
}

const problems = packages.flatMap((name) => orderProblems(name, floors[name] ?? []));
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
