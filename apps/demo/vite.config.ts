import { defineConfig } from "vite";

/**
 * The bundle of the service. TypeBox has 373 modules, which take longer to find and load than all of Decern, so
 * it is bundled.
 */
export default defineConfig({
  ssr: { external: true, noExternal: ["typebox"] },
  build: {
    ssr: true,
    target: "node20",
    sourcemap: true,
    // The compiler writes declarations there.
    emptyOutDir: false,
    rolldownOptions: {
      // The programs, and the modules that tests import.
      input: {
        main: "src/main.ts",
        hosts: "src/hosts.ts",
        "decisions/index": "src/decisions/index.ts",
        "stop-on-signals": "src/stop-on-signals.ts",
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
    },
  },
});
