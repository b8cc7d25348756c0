import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type OutputChunk, type RolldownOptions, rolldown } from "rolldown";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";
import { offeredModules } from "./src/base/modules.js";
import { guideExamples } from "./src/markdown/guide-examples.js";
import { playgroundFragment } from "./src/markdown/playground-links.js";
import { digestOf } from "./src/markdown/policy.js";
import { sitePages } from "./src/markdown/site-pages.js";
import type { EngineManifest, ListedExample } from "./src/page/load-files.js";

const here = import.meta.dirname;
// From the sources of the packages, only what is used gets into the files.
const resolve = { conditionNames: ["@decern/source", "browser", "import", "default"] };

/** Zod's messages in 50 languages are larger than the rest of it. */
const onlyEnglish = {
  name: "only-english",
  load: {
    filter: { id: /\/zod\/v4\/locales\/index\.js$/ },
    handler: () => 'export { default as en } from "./en.js";',
  },
};

async function chunksOf(
  input: NonNullable<RolldownOptions["input"]>,
  output: { readonly format: "cjs"; readonly exports: "named" } | { readonly format: "iife" },
): Promise<readonly OutputChunk[]> {
  const bundle = await rolldown({ cwd: here, input, resolve, platform: "browser", plugins: [onlyEnglish] });
  const built = await bundle.generate({
    ...output,
    minify: true,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
  return built.output.filter((file) => file.type === "chunk");
}

/** The name of a module's file. */
function nameOf(specifier: string): string {
  return specifier.replaceAll(/[@/]+/g, "-").replace(/^-/, "");
}

/** The sandboxed frame, the worker in it, and what code can import there, each in files that import each other as CommonJS. */
const engine: Plugin = {
  name: "engine",
  async generateBundle() {
    const entries = Object.fromEntries(offeredModules.map((specifier) => [nameOf(specifier), specifier]));
    const chunks = await chunksOf(
      { engine: "src/engine/index.ts", ...entries },
      { format: "cjs", exports: "named" },
    );
    const [worker] = await chunksOf({ worker: "src/sandbox/worker.ts" }, { format: "iife" });
    const [frame] = await chunksOf({ frame: "src/sandbox/frame.ts" }, { format: "iife" });
    if (worker === undefined || frame === undefined) throw new Error("the frame was not built");
    const fileOf = (name: string) => {
      const chunk = chunks.find((one) => one.isEntry && one.name === name);
      if (chunk === undefined) throw new Error(`${name} was not built`);
      return chunk.fileName;
    };
    const manifest: EngineManifest = {
      script: worker.fileName,
      engine: fileOf("engine"),
      modules: Object.fromEntries(offeredModules.map((specifier) => [specifier, fileOf(nameOf(specifier))])),
      imports: Object.fromEntries(chunks.map(({ fileName, imports }) => [fileName, imports])),
    };
    for (const { fileName, code } of [worker, ...chunks])
      this.emitFile({ type: "asset", fileName: `engine/${fileName}`, source: code });
    this.emitFile({ type: "asset", fileName: "engine/manifest.json", source: JSON.stringify(manifest) });
    const script = frame.code.trim();
    // The worker inherits the policy: code has no network. Schemas are compiled to functions, and so is the code itself.
    const policy = `default-src 'none'; script-src ${digestOf(script)} 'unsafe-eval' blob:; worker-src blob:`;
    const source = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><title>Engine</title></head><body><script>${script}</script></body></html>
`;
    this.emitFile({ type: "asset", fileName: "frame.html", source });
  },
};

/** The examples of the guides, for the menu. */
const examples: Plugin = {
  name: "examples",
  generateBundle() {
    const root = join(here, "../..");
    const list = guideExamples(root, sitePages(root)).flatMap(({ title, state }): ListedExample[] => {
      const fragment = playgroundFragment(state);
      return fragment === undefined ? [] : [{ title, fragment }];
    });
    this.emitFile({ type: "asset", fileName: "examples.json", source: JSON.stringify(list) });
  },
};

/** The bundled libraries require their licences to be included. */
const licences: Plugin = {
  name: "licences",
  async generateBundle() {
    const names = ["preact", "sucrase", "typebox", "zod", "@codemirror/view", "@lezer/highlight"];
    const texts = await Promise.all(
      names.map(async (name) => {
        const text = await readFile(
          join(here, "node_modules", name, name === "typebox" ? "license" : "LICENSE"),
          "utf8",
        );
        return `${name}\n\n${text.trim()}\n`;
      }),
    );
    this.emitFile({ type: "asset", fileName: "assets/licences.txt", source: texts.join("\n\n") });
  },
};

export default defineConfig({
  root: join(here, "playground"),
  // It works behind any base.
  base: "./",
  plugins: [engine, examples, licences],
  resolve: { conditions: ["@decern/source", ...defaultClientConditions], dedupe: ["preact"] },
  worker: { format: "es" },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: join(here, "dist/site/playground"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    reportCompressedSize: false,
  },
});
