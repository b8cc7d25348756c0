import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A project with one decision, which needs a second file to compile. */
export interface ModuleStyle {
  readonly name: string;
  /** Path of the module. */
  readonly module: string;
  readonly files: Readonly<Record<string, string>>;
}

const limit = "export const limit: number = 18;\n";

/** The decision `adult`, whose threshold comes from another file. */
function decisions(specifier: string): string {
  return `import { defineDecision } from "@decern/core";
import { z } from "zod";
import { limit } from "${specifier}";

const adult = defineDecision({
  id: "adult",
  version: "1.0.0",
  inputSchema: z.object({ age: z.number() }),
  outputSchema: z.object({ ok: z.boolean() }),
  profileSchema: z.object({}),
  rules: [{ id: "of-age", when: (input: { age: number }) => input.age >= limit, emit: () => ({ ok: true }) }],
});
export const decisions = [adult];
`;
}

function javascript(text: string): string {
  return text.replaceAll(/: number\b|: \{ age: number \}/g, "");
}

const asDefault = (text: string): string =>
  text.replace("export const decisions = [adult];", "export default { decisions: [adult] };");

interface Config {
  readonly [option: string]: unknown;
}

function typescript(
  name: string,
  compilerOptions: Config,
  specifier: string,
  own: { readonly manifest?: object; readonly files?: ModuleStyle["files"]; readonly module?: string } = {},
): ModuleStyle {
  const { manifest = { type: "module" }, files = {}, module = "src/decisions.ts" } = own;
  return {
    name,
    module,
    files: {
      "package.json": JSON.stringify(manifest),
      "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, ...compilerOptions } }),
      "src/limit.ts": limit,
      [module]: decisions(specifier),
      ...files,
    },
  };
}

const paths = { module: "esnext", moduleResolution: "bundler", paths: { "@/*": ["./src/*"] } };
const commonjs = { module: "commonjs", esModuleInterop: true };

/** TypeScript as projects write it, the common ways first. */
export const typescriptStyles: readonly ModuleStyle[] = [
  typescript("nodenext, imports end in .js", { module: "nodenext" }, "./limit.js"),
  typescript("bundler, paths, no extensions", paths, "@/limit"),
  typescript("commonjs, no type in package.json", commonjs, "./limit", { manifest: {} }),
  typescript("decorators, enums, JSON, baseUrl from an extended file", {}, "limit", {
    files: {
      "tsconfig.json": '{ "extends": "./tsconfig.base.json" }',
      "tsconfig.base.json": `{
        // Comments and commas are allowed here.
        "compilerOptions": { "experimentalDecorators": true, "baseUrl": "src", "resolveJsonModule": true, },
      }`,
      "src/limits.json": '{ "adult": 18 }',
      "src/limit.ts": `import limits from "./limits.json" with { type: "json" };
enum Kind { Adult = "adult" }
function sealed<Type extends new (...args: never[]) => object>(target: Type): void { Object.seal(target); }
@sealed class Limits { constructor(readonly adult: number) {} }
export const limit = new Limits(limits.adult)[Kind.Adult];
`,
    },
  }),
  typescript(
    "erasable syntax, imports end in .ts",
    {
      module: "nodenext",
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
    },
    "./limit.ts",
  ),
  typescript("a list of references, paths in one of them", {}, "~/limit", {
    files: {
      "tsconfig.json": JSON.stringify({
        files: [],
        references: [{ path: "./tsconfig.node.json" }, { path: "./tsconfig.app.json" }],
      }),
      "tsconfig.node.json": JSON.stringify({ include: ["vite.config.ts"] }),
      "tsconfig.app.json": JSON.stringify({
        compilerOptions: { ...paths, paths: { "~/*": ["./src/*"] } },
        include: ["src"],
      }),
    },
  }),
  typescript("bundler and paths, no type in package.json", paths, "@/limit", { manifest: {} }),
  typescript("subpath imports of package.json", { module: "nodenext" }, "#limit", {
    manifest: { type: "module", imports: { "#limit": "./src/limit.ts" } },
  }),
  typescript("commonjs with a default export", commonjs, "./limit", {
    manifest: { type: "commonjs" },
    files: { "src/decisions.ts": asDefault(decisions("./limit")) },
  }),
  typescript(".mts", { module: "nodenext" }, "./limit.mjs", {
    manifest: {},
    module: "src/decisions.mts",
    files: { "src/limit.mts": limit },
  }),
  typescript(".cts", { module: "nodenext" }, "./limit.cjs", {
    module: "src/decisions.cts",
    files: { "src/limit.cts": limit },
  }),
  typescript("top-level await", { module: "nodenext" }, "./limit.js", {
    files: { "src/decisions.ts": `${decisions("./limit.js")}await Promise.resolve();\n` },
  }),
];

function plain(name: string, manifest: object, module: string, files: ModuleStyle["files"]): ModuleStyle {
  return { name, module, files: { "package.json": JSON.stringify(manifest), ...files } };
}

export const javascriptStyles: readonly ModuleStyle[] = [
  plain("an ES module", { type: "module" }, "decisions.js", {
    "decisions.js": javascript(decisions("./limit.js")),
    "limit.js": javascript(limit),
  }),
  plain("an ES module, no type in package.json", {}, "decisions.js", {
    "decisions.js": javascript(decisions("./limit.js")),
    "limit.js": javascript(limit),
  }),
  plain(".mjs with a default export", {}, "decisions.mjs", {
    "decisions.mjs": asDefault(javascript(decisions("./limit.mjs"))),
    "limit.mjs": javascript(limit),
  }),
  plain(".cjs", { type: "module" }, "decisions.cjs", {
    "decisions.cjs": javascript(decisions("./limit.cjs"))
      .replaceAll(/import (\{.*?\}) from ("[^"]*");/g, "const $1 = require($2);")
      .replace("export const decisions = [adult];", "module.exports = { decisions: [adult] };"),
    "limit.cjs": "exports.limit = 18;\n",
  }),
];

/** Writes a project. @param modules - the folder of packages that it uses; without it, they are above */
export function writeStyle(style: ModuleStyle, folder: string, modules?: string): void {
  for (const [name, text] of Object.entries(style.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  if (modules !== undefined) symlinkSync(modules, join(folder, "node_modules"));
}
