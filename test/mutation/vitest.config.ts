import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = fileURLToPath(new URL("../..", import.meta.url));
const name = process.env["MUTATION_PACKAGE"] ?? "core";

/** Properties last: most mutants are found by an example, which costs less. */
class ExamplesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isProperty = ({ moduleId }: TestSpecification): number => Number(moduleId.includes(".prop."));
    return files.toSorted((one, other) => isProperty(one) - isProperty(other));
  }
}

// Stryker runs the tests in a copy of the repository whose sources hold the mutants. The links in node_modules lead out of
// that copy, so core is found by path.
export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^@decern\/core$/, replacement: `${root}/packages/core/src/index.ts` },
      { find: /^@decern\/core\/host$/, replacement: `${root}/packages/core/src/host.ts` },
      { find: /^@decern\/core\/schema$/, replacement: `${root}/packages/core/src/schema.ts` },
    ],
  },
  test: {
    include: [`packages/${name}/test/**/*.test.ts`],
    // One runs the compiler, which sees every mutant at once; the other plays thousands of calls.
    exclude: ["**/node_modules/**", "**/express4-types.test.ts", "**/harness.test.ts"],
    setupFiles: ["test/mutation/setup.mjs"],
    // Loading every module anew for every test file would take most of the time.
    isolate: false,
    sequence: { sequencer: ExamplesFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 290_000 } },
  },
});
