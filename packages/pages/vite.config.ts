import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";

/** The bundled library requires its licence to be included. */
const licences: Plugin = {
  name: "licences",
  async generateBundle() {
    const source = await readFile(new URL("LICENSE", import.meta.resolve("preact/package.json")), "utf8");
    this.emitFile({ type: "asset", fileName: "assets/licences.txt", source });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [licences],
  // From the sources of the other packages, only what the pages use gets into them.
  resolve: { conditions: ["@decern/source", ...defaultClientConditions] },
  worker: { format: "es" },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // The pages are served at `<prefix>/docs`, `<prefix>/records` and `<prefix>/swagger`, without a trailing slash, and their
  // files below. URLs relative to the page work behind any prefix that a proxy adds. The host may move Swagger UI: the server
  // then replaces `swagger/`.
  experimental: {
    renderBuiltUrl: (filename, { hostId, hostType }) =>
      hostType === "html"
        ? `${hostId === "index.html" ? "docs" : hostId.replace(".html", "")}/${filename}`
        : { relative: true },
  },
  build: {
    outDir: "dist/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // Browsers find what a page imports before its script has come. What only some pages need is not among it.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) => (hostType === "html" ? needed : []),
    },
    rolldownOptions: {
      input: ["index.html", "records.html", "swagger.html"].map((name) => join(import.meta.dirname, name)),
    },
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    reportCompressedSize: false,
  },
});
