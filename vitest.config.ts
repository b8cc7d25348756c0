import { defineConfig } from "vitest/config";

// Tests read the sources through this condition: no build first, no stale dist.
const conditions = ["@decern/source"];
const resolve = { conditions };
const ssr = { resolve: { conditions: [...conditions, "node", "development|production"] } };

/**
 * Ends what hangs. Nothing is decided by time: a slow and busy machine must stay far below these limits, and a test that needs
 * longer states its own. `TEST_SECONDS` is a limit for all.
 */
function limits(seconds: number) {
  const timeout = Number(process.env["TEST_SECONDS"] ?? seconds) * 1000;
  // A poll waits for an event; it ends just before its test, with the last value that it saw.
  const expect = { poll: { timeout: timeout - 5000 } };
  return { testTimeout: timeout, hookTimeout: timeout, teardownTimeout: 60_000, expect };
}

/** The files of a worker share their modules, which takes up to half of the time away. None may change what the next finds. */
const shared = { isolate: false };

/**
 * Processes, sockets and browsers share the machine with all else that runs on it. A test that fails is run once more; one that
 * then passes is named at the end of CI's log, so that it is looked into.
 */
const processes = { retry: 1 };

// Tests that need programs of the machine (chromium, prometheus, nginx, postgresql): `pnpm run test:system`, and CI.
const system = ["**/*.system.test.ts", "apps/demo/test/browser/**/*.test.ts"];

export default defineConfig({
  test: {
    reporters: ["default", "./test/closing-line-reporter.ts"],
    // By default, Vitest leaves a core free: on two of them, half of the machine.
    maxWorkers: "100%",
    tags: [
      {
        name: "one-node",
        description: "Has the same result on every Node, and takes long: CI runs it on one.",
      },
    ],
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"] },
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: "unit",
          ...limits(120),
          ...shared,
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
          ...shared,
          include: ["apps/*/test/**/*.test.ts"],
          exclude: system,
          globalSetup: ["./apps/demo/test/build.ts"],
          ...processes,
          ...limits(180),
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: "system",
          ...shared,
          // The soak test looks at the heap after garbage was collected.
          execArgv: ["--expose-gc"],
          include: system,
          exclude: ["**/node_modules/**"],
          globalSetup: ["./apps/demo/test/build.ts"],
          ...processes,
          ...limits(240),
        },
      },
    ],
  },
});
