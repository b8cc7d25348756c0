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

/** Packages that implement the ports of others, and whose ports these are. */
const implementers: Readonly<Record<string, readonly string[]>> = {
  nats: ["bulk"],
  postgres: ["bulk", "decision-log"],
};

function mayDependOn(name: string): readonly string[] {
  return name === "core" ? [] : ["core", ...(implementers[name] ?? [])].map((one) => `@decern/${one}`);
}

const wayOut =
  "a package knows core, and the packages whose ports it implements. Let it take what it needs as an option, and wire the two together in an app";

describe("the dependency rule: a package may depend on @decern/core and on the owners of the ports that it implements", () => {
  it("finds the packages and their imports", () => {
    expect(packages).toEqual([
      "adapter-express",
      "adapter-fastify",
      "authzen",
      "bulk",
      "client",
      "core",
      "decision-log",
      "metrics",
      "nats",
      "ofrep",
      "openapi",
      "otel",
      "postgres",
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
    const wrong = dependencies.filter((dependency) => !mayDependOn(name).includes(dependency));
    expect(wrong, `packages/${name} depends on a sibling: ${wayOut}`).toEqual([]);
    if (name === "core") expect(manifest.dependencies, "core has no runtime dependency").toBeUndefined();
  });

  it.each(packages)("%s: imports, tests included", (name) => {
    const wrong = filesOf(name).flatMap((path) =>
      importsOf(path).flatMap((specifier) => {
        const place = `${relative(root, path)} imports ${specifier}: ${wayOut}`;
        if (specifier.startsWith("@decern/"))
          return mayDependOn(name).includes(specifier.split("/", 2).join("/")) ? [] : [place];
        if (!specifier.startsWith(".")) return [];
        const [folder, owner] = relative(root, resolve(dirname(path), specifier)).split(/[/\\]/);
        if (folder === "test") return [];
        return folder === "packages" && owner === name ? [] : [place];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
