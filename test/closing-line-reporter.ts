import type { Reporter, TestModule } from "vitest/node";

/** Prints `N passed, N failed` on a separate line, for CI that reads the last line. */
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
  }
}
