import { defineConfig } from "vitest/config";

// Tests read the sources through this condition: no build first, no stale dist.
const conditions = ["@decern/source"];
const resolve = { conditions };
const ssr = { resolve: { conditions: [...conditions, "module", "node", "development|production"] } };

export default defineConfig({
  test: {
    reporters: ["default", "./test/closing-line-reporter.ts"],
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"] },
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: "unit",
          include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "bench/test/**/*.test.ts"],
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ["packages/*/test/**/*.test-d.ts"],
            tsconfig: "./tsconfig.test.json",
          },
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: "demo",
          include: ["apps/*/test/**/*.test.ts"],
          globalSetup: ["./apps/demo/test/build.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
