import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const packages = readdirSync(resolve(root, "packages"));

function filesOf(name: string): readonly string[] {
  return readdirSync(resolve(root, "packages", name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|js|mjs)$/.test(entry.name))
    .map((entry) => resolve(entry.parentPath, entry.name))
    .filter((path) => !/[/\\](node_modules|dist)[/\\]/.test(path));
}

function mayImport(name: string, specifier: string): boolean {
  if (/^@decern\/core(\/host|\/options|\/schema|\/tools)?$/.test(specifier)) return true;
  return (implementedPorts[name] ?? []).includes(specifier);
}

/** The specifiers of every import, export … from, dynamic import and type import of a file. */
function importsOf(path: string): readonly string[] {
  // Examples in comments may import anything that a user would.
  const source = readFileSync(path, "utf8").replaceAll(/^\s*\*.*$/gm, "");
  return [...source.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"'\n$]+)["']/g)].map(
    ([, specifier]) => specifier ?? "",
  );
}

/** A package that implements a port of another one depends on it, and nobody else on a sibling. */
const implementedPorts: Readonly<Record<string, readonly string[]>> = {
  postgres: ["@decern/bulk", "@decern/decision-log"],
  nats: ["@decern/bulk"],
};

// What is built into another package: its package.json and its imports may name it.
const builtIn: Readonly<Record<string, readonly string[]>> = {
  server: ["@decern/pages"],
  // The pages mark and analyze tables with the code that evaluates them.
  pages: ["@decern/table", "@decern/table/browser"],
};

const wayOut =
  "let the package that owns a port export it, and list whoever implements it in implementedPorts; or wire the two together in apps";

describe("the dependency rule: a package depends on @decern/core, and on a sibling only to implement a port of it", () => {
  it("finds the packages and their imports", () => {
    expect(packages).toEqual(expect.arrayContaining(["core", "server", "watch"]));
    expect(filesOf("core").flatMap(importsOf).length).toBeGreaterThan(50);
  });

  it.each(packages)("%s: package.json", (name) => {
    const manifest = JSON.parse(readFileSync(resolve(root, "packages", name, "package.json"), "utf8"));
    const dependencies = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
      .flatMap((field) => Object.keys(manifest[field] ?? {}))
      .filter((dependency) => dependency.startsWith("@decern/"));
    const allowed =
      name === "core" ? [] : ["@decern/core", ...(builtIn[name] ?? []), ...(implementedPorts[name] ?? [])];
    const wrong = dependencies.filter((dependency) => !allowed.includes(dependency));
    expect(wrong, `packages/${name} depends on a sibling: ${wayOut}`).toEqual([]);
    for (const inner of dependencies.filter((dependency) => builtIn[name]?.includes(dependency)))
      expect(manifest.devDependencies, "users install nothing of it").toHaveProperty([inner]);
    if (name === "core") expect(manifest.dependencies, "core has no runtime dependency").toBeUndefined();
  });

  it.each(packages)("%s: imports, tests included", (name) => {
    const wrong = filesOf(name).flatMap((path) =>
      importsOf(path).flatMap((specifier) => {
        const place = `${relative(root, path)} imports ${specifier}: ${wayOut}`;
        if (builtIn[name]?.includes(specifier.replace(/\/package\.json$/, "")) === true) return [];
        if (specifier.startsWith("@decern/"))
          return name !== "core" && mayImport(name, specifier) ? [] : [place];
        if (!specifier.startsWith(".")) return [];
        const [folder, owner] = relative(root, resolve(dirname(path), specifier)).split(/[/\\]/);
        if (folder === "test") return [];
        return folder === "packages" && owner === name ? [] : [place];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe("what core shares with our own packages only", () => {
  // A new name that only one package needs belongs there, and a type that follows from another name needs none.
  it.each([
    ["host", 40],
    ["options", 13],
    ["tools", 30],
  ])("@decern/core/%s has at most %d names", (entry, most) => {
    const source = readFileSync(resolve(root, "packages/core/src", `${entry}.ts`), "utf8");
    const lists = [...source.matchAll(/\bexport (?:type )?\{([^}]*)\} from "/g)].map(([, list = ""]) => list);
    const names = lists.flatMap((list) => list.split(",").map((name) => name.trim())).filter(Boolean);
    expect(source.match(/\bexport\b/g)).toHaveLength(lists.length);
    expect(names.length).toBeLessThanOrEqual(most);
  });
});
