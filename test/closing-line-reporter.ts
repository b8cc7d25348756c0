import { appendFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Prints `N passed, N failed` on a separate line. If `TEST_COUNTS` names a file, adds both numbers to it and a line for each test
 * that failed at first or for good, and prints which test files took longest.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    const named: string[] = [];
    for (const module of modules) {
      failed += module.errors().length;
      if (module.errors().length > 0) named.push(`failed: ${module.relativeModuleId}`);
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        if (state === "failed") failed += 1;
        if (state === "failed") named.push(`failed: ${nameOf(test)}`);
        if (test.diagnostic()?.flaky === true) named.push(`passed when run again: ${nameOf(test)}`);
      }
    }
    const counts = process.env["TEST_COUNTS"];
    if (counts !== undefined) {
      appendFileSync(counts, `${[`${passed} ${failed}`, ...named].join("\n")}\n`);
      console.log(`\nThe slowest files:\n${slowest(modules).join("\n")}`);
    }
    console.log(`\n${passed} passed, ${failed} failed`);
  }
}

function nameOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const why = error === undefined ? "" : `: ${error.message.split("\n", 1)[0]}`;
  return `${test.module.relativeModuleId} > ${test.fullName}${why}`;
}

function slowest(modules: readonly TestModule[]): readonly string[] {
  return modules
    .map((module) => ({ path: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 20)
    .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`);
}
