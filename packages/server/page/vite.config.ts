import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

// The page answers at `<prefix>/docs`, without a slash at the end, and everything it needs lies at `<prefix>/docs/…`.
// URLs relative to the page work behind whatever prefix a proxy adds.
/** The font's licence asks to be where the font is. */
const fontLicence: Plugin = {
  name: "font-licence",
  async generateBundle() {
    const path = fileURLToPath(import.meta.resolve("@fontsource-variable/inter/LICENSE"));
    this.emitFile({
      type: "asset",
      fileName: "assets/inter-licence.txt",
      source: await readFile(path, "utf8"),
    });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [fontLicence],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  experimental: {
    renderBuiltUrl: (filename, { hostType }) =>
      hostType === "html" ? `docs/${filename}` : { relative: true },
  },
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    reportCompressedSize: false,
  },
});
