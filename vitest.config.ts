import { defineConfig } from "vitest/config";

// Tests read the sources through this condition: no build first, no stale dist.
const conditions = ["@decern/source"];
const resolve = { conditions };
const ssr = { resolve: { conditions: [...conditions, "node", "development|production"] } };

// Nothing is decided by time: these limits only end a test that hangs, and a slow and busy machine must stay far below them.
const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  teardownTimeout: 60_000,
  // A poll waits for an event; it has no limit of its own but the test's.
  expect: { poll: { timeout: 290_000 } },
};

// Tests that need programs of the machine (chromium, prometheus, nginx, postgresql): `pnpm run test:system`, and CI.
const system = ["**/*.system.test.ts", "apps/demo/test/browser/**/*.test.ts"];

export default defineConfig({
  test: {
    reporters: ["default", "./test/closing-line-reporter.ts"],
    // By default, Vitest leaves a core free: on two of them, half of the machine.
    maxWorkers: "100%",
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"] },
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: "unit",
          ...patience,
          include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "bench/test/**/*.test.ts"],
          exclude: system,
          globalSetup: [
            "./packages/openapi/scripts/copy-swagger-ui.mjs",
            "./packages/server/test/build-pages.ts",
          ],
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
            // `pnpm typecheck` reads the rest.
            ignoreSourceErrors: true,
            include: ["packages/*/test/**/*.test-d.ts"],
            tsconfig: "./tsconfig.types.json",
          },
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: "apps",
          include: ["apps/*/test/**/*.test.ts"],
          exclude: system,
          globalSetup: ["./apps/demo/test/build.ts"],
          ...patience,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: "system",
          // The soak test looks at the heap after garbage was collected.
          execArgv: ["--expose-gc"],
          include: system,
          exclude: ["**/node_modules/**"],
          globalSetup: ["./apps/demo/test/build.ts"],
          ...patience,
        },
      },
    ],
  },
});
