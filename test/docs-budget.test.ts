import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root, userPages } from "./support/user-pages.js";

/** The most words that a page may have, as `wc -w` counts them. */
const budgets: Readonly<Record<string, number>> = {
  ".github/pull_request_template.md": 35,
  "CODE_OF_CONDUCT.md": 50,
  "CONTRIBUTING.md": 500,
  "README.md": 730,
  "SECURITY.md": 70,
  "apps/cli/README.md": 607,
  "apps/create-decern/README.md": 120,
  "apps/create-decern/template/base/README.md": 190,
  "apps/demo/README.md": 250,
  "apps/site/README.md": 160,
  "apps/demo/requests/README.md": 60,
  "bench/NOTES.md": 762,
  "bench/README.md": 120,
  "bench/RESULTS.md": 1790,
  "docs/README.md": 240,
  "docs/adapters.md": 700,
  "docs/audit.md": 810,
  "docs/batches.md": 460,
  "docs/bulk-kafka.md": 180,
  "docs/bulk-nats.md": 560,
  "docs/bulk-postgres.md": 640,
  "docs/bulk.md": 640,
  "docs/callers.md": 460,
  "docs/changing-tables.md": 801,
  "docs/changing-thresholds.md": 480,
  "docs/client.md": 480,
  "docs/composition.md": 470,
  "docs/decision-tables.md": 640,
  "docs/defining-decisions.md": 680,
  "docs/deployment.md": 675,
  "docs/dmn.md": 850,
  "docs/docs-page.md": 516,
  "docs/errors.md": 945,
  "docs/examples/replay-pull-request/README.md": 120,
  "docs/from-gorules.md": 680,
  "docs/from-json-rules-engine.md": 845,
  "docs/getting-started.md": 637,
  "docs/hooks.md": 590,
  "docs/http.md": 390,
  "docs/live-decisions.md": 520,
  "docs/live-profiles.md": 510,
  "docs/metrics.md": 525,
  "docs/openapi.md": 520,
  "docs/opentelemetry.md": 280,
  "docs/packages.md": 310,
  "docs/performance.md": 380,
  "docs/policy.md": 300,
  "docs/profiles.md": 600,
  "docs/protocols.md": 445,
  "docs/recipes/all-reasons.md": 200,
  "docs/recipes/facts.md": 160,
  "docs/recipes/feature-flags.md": 160,
  "docs/recipes/gateway.md": 200,
  "docs/recipes/lambda.md": 160,
  "docs/recipes/nextjs.md": 160,
  "docs/recipes/property-tests.md": 160,
  "docs/recipes/queue.md": 160,
  "docs/records.md": 1005,
  "docs/runbook.md": 790,
  "docs/scaling.md": 560,
  "docs/security.md": 803,
  "docs/terms.md": 240,
  "docs/testing.md": 455,
  "docs/versions.md": 730,
  "docs/warehouses.md": 750,
  "docs/what-would-change.md": 285,
  "packages/adapter-express/README.md": 210,
  "packages/adapter-fastify/README.md": 310,
  "packages/authzen/README.md": 435,
  "packages/bulk/README.md": 580,
  "packages/client/README.md": 330,
  "packages/core/README.md": 460,
  "packages/decision-log/README.md": 600,
  "packages/explain/README.md": 120,
  "packages/metrics/README.md": 380,
  "packages/nats/README.md": 420,
  "packages/ofrep/README.md": 340,
  "packages/openapi/README.md": 530,
  "packages/otel/README.md": 180,
  "packages/pages/README.md": 50,
  "packages/postgres/README.md": 890,
  "packages/replay/README.md": 535,
  "packages/schema/README.md": 600,
  "packages/server/README.md": 915,
  "packages/table/README.md": 450,
  "packages/testing/README.md": 670,
  "packages/warehouse/README.md": 340,
  "packages/watch/README.md": 620,
  "test/README.md": 230,
  "test/security-claims.md": 1220,
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
const otherPages = ["bench/NOTES.md", "bench/RESULTS.md", "test/README.md", "test/security-claims.md"];
/** Of all pages for users, but the new guides. */
const totalBudget = 32_605;

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
