// Checks that folders of a package import only folders below them. `pnpm run lint` runs it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folders in each package's `src`, lowest first. Folders in brackets stand side by side, and don't import each other. Files
 * that stand in `src` itself are above all folders. Folders of packages that are not listed must have no import cycle.
 */
const floors = {
  "packages/pages": [
    "json",
    "model",
    "parts",
    "service",
    "form",
    ["answer", "compare", "history"],
    "call",
    ["docs", "records", "swagger"],
  ],
  "apps/cli": ["text", "command-line", ["module", "records"], ["bulk", "worker"], "commands"],
  "apps/demo": ["decisions"],
};

const root = fileURLToPath(new URL("..", import.meta.url));
const packages = ["packages", "apps"]
  .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
  .concat("bench");

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
        .map((target) => ({ path, target, from: folderOf(path), to: folderOf(target) }));
    })
    .filter(({ target, from, to }) => from !== to && !target.startsWith(".."));
}

function folderOf(path) {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}

/** What is wrong in a package whose order is declared. */
function orderProblems(name, order) {
  const levels = new Map(order.flatMap((floor, level) => [floor].flat().map((folder) => [folder, level])));
  const found = readdirSync(join(root, name, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && holdsSources(join(root, name, "src", entry.name)))
    .map((entry) => entry.name);
  const unlisted = found.filter((folder) => !levels.has(folder));
  const gone = [...levels.keys()].filter((folder) => !found.includes(folder));
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

/** The import cycles of folders in a package without a declared order. */
function cycleProblems(name) {
  const imports = importsOf(name).filter(({ from, to }) => from !== "" && to !== "");
  const reaches = (start, goal) => {
    const seen = new Set([start]);
    for (const folder of seen) for (const { from, to } of imports) if (from === folder) seen.add(to);
    return seen.has(goal);
  };
  const pairs = new Map();
  for (const one of imports.filter(({ from, to }) => reaches(to, from))) {
    const pair = `${one.from} ${one.to}`;
    pairs.set(pair, [...(pairs.get(pair) ?? []), one]);
  }
  // The fewer imports, the easier they are to remove.
  return [...pairs.values()]
    .sort((one, other) => one.length - other.length)
    .map(
      ([{ path, target, from, to }, ...others]) =>
        `${name}/src/${path} imports ${target}${others.length === 0 ? "" : `, and ${others.length} more`}: ` +
        `${to} also needs ${from}. Move what both need into a folder below, and declare the order in scripts/check-floors.mjs`,
    );
}

const problems = packages.flatMap((name) =>
  Object.hasOwn(floors, name) ? orderProblems(name, floors[name]) : cycleProblems(name),
);
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
