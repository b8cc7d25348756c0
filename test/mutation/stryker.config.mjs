import { fileURLToPath } from "node:url";

const name = process.env.MUTATION_PACKAGE ?? "core";
const isSample = process.env.MUTATION_SAMPLE !== undefined;

export default {
  plugins: ["@stryker-mutator/vitest-runner", fileURLToPath(new URL("sample-checker.mjs", import.meta.url))],
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  checkers: isSample ? ["sample"] : [],
  mutate: process.env.MUTATION_FILES?.split(",") ?? [`packages/${name}/src/**/*.ts`],
  // The wording of messages is for people to judge.
  mutator: { excludedMutations: ["StringLiteral"] },
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 30,
  // Express sends no file from a folder whose name begins with a dot.
  tempDirName: "stryker-tmp",
  ignorePatterns: ["dist", "reports", "coverage"],
  // Stryker rewrites tsconfig.json with an API that TypeScript 7 does not have; nothing here needs it rewritten.
  tsconfigFile: "none",
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `reports/mutation/${name}.json` },
  allowConsoleColors: false,
};
