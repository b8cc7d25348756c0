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

/** The specifiers of every import, export … from, dynamic import and type import of a file. */
function importsOf(path: string): readonly string[] {
  // Examples in comments may import anything that a user would.
  const source = readFileSync(path, "utf8").replaceAll(/^\s*\*.*$/gm, "");
  return [...source.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"'\n$]+)["']/g)].map(
    ([, specifier]) => specifier ?? "",
  );
}

const wayOut = "put what both need into @decern/core, or wire the two together in apps/demo";

// What is built into another package: its package.json and its imports may name it.
const builtIn: Readonly<Record<string, readonly string[]>> = { server: ["@decern/pages"] };

describe("the dependency rule: a package may depend on @decern/core but not on its siblings", () => {
  it("finds the packages and their imports", () => {
    expect(packages).toEqual([
      "adapter-express",
      "adapter-fastify",
      "authzen",
      "bulk",
      "bulk-nats",
      "bulk-postgres",
      "client",
      "core",
      "decision-log",
      "decision-log-postgres",
      "metrics",
      "ofrep",
      "openapi",
      "otel",
      "pages",
      "replay",
      "schema",
      "server",
      "testing",
      "warehouse",
    ]);
    expect(filesOf("core").flatMap(importsOf).length).toBeGreaterThan(50);
  });

  it.each(packages)("%s: package.json", (name) => {
    const manifest = JSON.parse(readFileSync(resolve(root, "packages", name, "package.json"), "utf8"));
    const dependencies = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
      .flatMap((field) => Object.keys(manifest[field] ?? {}))
      .filter((dependency) => dependency.startsWith("@decern/"));
    const allowed = name === "core" ? [] : ["@decern/core", ...(builtIn[name] ?? [])];
    expect([...new Set(dependencies)], `packages/${name} depends on a sibling: ${wayOut}`).toEqual(allowed);
    for (const inner of builtIn[name] ?? [])
      expect(manifest.devDependencies, "users install nothing of it").toHaveProperty([inner]);
    if (name === "core") expect(manifest.dependencies, "core has no runtime dependency").toBeUndefined();
  });

  it.each(packages)("%s: imports, tests included", (name) => {
    const wrong = filesOf(name).flatMap((path) =>
      importsOf(path).flatMap((specifier) => {
        const place = `${relative(root, path)} imports ${specifier}: ${wayOut}`;
        if (builtIn[name]?.includes(specifier.replace(/\/package\.json$/, "")) === true) return [];
        if (specifier.startsWith("@decern/"))
          return /^@decern\/core(\/host|\/schema)?$/.test(specifier) && name !== "core" ? [] : [place];
        if (!specifier.startsWith(".")) return [];
        const [folder, owner] = relative(root, resolve(dirname(path), specifier)).split(/[/\\]/);
        if (folder === "test") return [];
        return folder === "packages" && owner === name ? [] : [place];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
