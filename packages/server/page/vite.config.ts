import { defineConfig } from "vite";

// The page answers at `<prefix>/docs`, without a slash at the end, and everything it needs lies at `<prefix>/docs/…`.
// URLs relative to the page work behind whatever prefix a proxy adds.
export default defineConfig({
  root: import.meta.dirname,
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
