import { defineConfig } from "vite";

/**
 * The service as it is run. TypeBox is 373 modules, which take longer to find and load than everything of Decern's;
 * built in, they are one.
 */
export default defineConfig({
  ssr: { external: true, noExternal: ["typebox"] },
  build: {
    ssr: true,
    target: "node20",
    sourcemap: true,
    // The compiler writes its declarations there.
    emptyOutDir: false,
    rolldownOptions: {
      // The programs, and what tests take out of them.
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
