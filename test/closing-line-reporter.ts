import { appendFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Prints `N passed, N failed` on a separate line, and adds both numbers to the file that `TEST_COUNTS` names. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        if (state === "failed") failed += 1;
      }
    }
    console.log(`\n${passed} passed, ${failed} failed`);
    const counts = process.env["TEST_COUNTS"];
    if (counts !== undefined) appendFileSync(counts, `${passed} ${failed}\n`);
  }
}
