import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root, userPages } from "./support/user-pages.js";

/** The most words that a page may have, as `wc -w` counts them. */
const budgets: Readonly<Record<string, number>> = {
  ".github/pull_request_template.md": 30,
  "CODE_OF_CONDUCT.md": 40,
  "CONTRIBUTING.md": 457,
  "README.md": 677,
  "SECURITY.md": 68,
  "apps/cli/README.md": 527,
  "apps/create-decern/README.md": 101,
  "apps/create-decern/template/base/README.md": 152,
  "apps/demo/README.md": 244,
  "apps/site/README.md": 137,
  "apps/demo/requests/README.md": 58,
  "bench/NOTES.md": 762,
  "bench/README.md": 119,
  "bench/RESULTS.md": 1790,
  "docs/README.md": 220,
  "docs/adapters.md": 653,
  "docs/audit.md": 766,
  "docs/batches.md": 417,
  "docs/bulk-kafka.md": 173,
  "docs/bulk-nats.md": 471,
  "docs/bulk-postgres.md": 595,
  "docs/bulk.md": 571,
  "docs/callers.md": 435,
  "docs/changing-tables.md": 500,
  "docs/changing-thresholds.md": 445,
  "docs/client.md": 458,
  "docs/composition.md": 437,
  "docs/decision-tables.md": 512,
  "docs/defining-decisions.md": 635,
  "docs/deployment.md": 572,
  "docs/dmn.md": 850,
  "docs/docs-page.md": 483,
  "docs/errors.md": 664,
  "docs/examples/replay-pull-request/README.md": 115,
  "docs/from-gorules.md": 623,
  "docs/from-json-rules-engine.md": 789,
  "docs/getting-started.md": 609,
  "docs/hooks.md": 526,
  "docs/http.md": 361,
  "docs/live-decisions.md": 484,
  "docs/live-profiles.md": 438,
  "docs/metrics.md": 501,
  "docs/openapi.md": 405,
  "docs/opentelemetry.md": 273,
  "docs/packages.md": 271,
  "docs/performance.md": 344,
  "docs/policy.md": 265,
  "docs/profiles.md": 525,
  "docs/protocols.md": 351,
  "docs/recipes/all-reasons.md": 194,
  "docs/recipes/facts.md": 145,
  "docs/recipes/feature-flags.md": 57,
  "docs/recipes/gateway.md": 200,
  "docs/recipes/lambda.md": 144,
  "docs/recipes/nextjs.md": 99,
  "docs/recipes/property-tests.md": 119,
  "docs/recipes/queue.md": 131,
  "docs/records.md": 949,
  "docs/runbook.md": 729,
  "docs/scaling.md": 520,
  "docs/security.md": 737,
  "docs/terms.md": 233,
  "docs/testing.md": 406,
  "docs/versions.md": 656,
  "docs/warehouses.md": 688,
  "docs/what-would-change.md": 280,
  "packages/adapter-express/README.md": 209,
  "packages/adapter-fastify/README.md": 307,
  "packages/authzen/README.md": 425,
  "packages/bulk/README.md": 564,
  "packages/client/README.md": 330,
  "packages/core/README.md": 403,
  "packages/decision-log/README.md": 580,
  "packages/explain/README.md": 101,
  "packages/metrics/README.md": 364,
  "packages/nats/README.md": 418,
  "packages/ofrep/README.md": 332,
  "packages/openapi/README.md": 501,
  "packages/otel/README.md": 173,
  "packages/pages/README.md": 46,
  "packages/postgres/README.md": 832,
  "packages/replay/README.md": 523,
  "packages/schema/README.md": 580,
  "packages/server/README.md": 902,
  "packages/table/README.md": 444,
  "packages/testing/README.md": 648,
  "packages/warehouse/README.md": 333,
  "packages/watch/README.md": 619,
  "test/README.md": 320,
};
/** The README of a package that isn't in the list. */
const packageBudget = 700;

/** Guides that are still to be written, or have just been. */
const newGuides = [
  "apps/create-decern/README.md",
  "apps/create-decern/template/base/README.md",
  "packages/dmn/README.md",
  "docs/decision-tables.md",
  "docs/dmn.md",
  "docs/from-gorules.md",
  "docs/from-json-rules-engine.md",
  "docs/changing-tables.md",
  "docs/policy.md",
  "docs/recipes/all-reasons.md",
  "docs/recipes/facts.md",
  "docs/recipes/feature-flags.md",
  "docs/recipes/gateway.md",
  "docs/recipes/lambda.md",
  "docs/recipes/nextjs.md",
  "docs/recipes/property-tests.md",
  "docs/recipes/queue.md",
];
/** Pages for maintainers. */
const otherPages = ["bench/NOTES.md", "bench/RESULTS.md", "test/README.md"];
/** Of all pages for users, but the new guides. */
const totalBudget = 30_387;

function wordsOf(path: string): number {
  // Readers don't see comments, such as the marks around tables that are generated.
  return readFileSync(`${root}/${path}`, "utf8")
    .replaceAll(/<!--.*?-->/g, "")
    .split(/\s+/)
    .filter((word) => word !== "").length;
}

function budgetOf(path: string): number | undefined {
  return budgets[path] ?? (/^packages\/[^/]+\/README\.md$/.test(path) ? packageBudget : undefined);
}

describe("the documentation", () => {
  it("is found", () => {
    expect(userPages).toEqual(
      expect.arrayContaining(["README.md", "docs/profiles.md", "packages/core/README.md"]),
    );
  });

  it.each([...userPages, ...otherPages])("%s is within its budget", (path) => {
    const budget = budgetOf(path);
    if (budget === undefined)
      throw new Error(`${path} has no budget: can its text go into another page? If not, add it to the list`);
    const words = wordsOf(path);
    const advice = `${path} has ${words} words of ${budget}: cut, or link to the page that already says it`;
    expect(words, advice).toBeLessThanOrEqual(budget);
  });

  it("is within its budget as a whole", () => {
    const counted = userPages.filter((path) => !newGuides.includes(path));
    const words = counted.reduce((sum, path) => sum + wordsOf(path), 0);
    expect(words, `${words} words in ${counted.length} pages`).toBeLessThanOrEqual(totalBudget);
  });
});
