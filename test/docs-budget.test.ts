import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root, userPages } from "./support/user-pages.js";

/** The most words that a page may have, as `wc -w` counts them. */
const budgets: Readonly<Record<string, number>> = {
  ".github/pull_request_template.md": 30,
  "CODE_OF_CONDUCT.md": 40,
  "CONTRIBUTING.md": 460,
  "README.md": 688,
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
  "docs/adapters.md": 689,
  "docs/audit.md": 780,
  "docs/batches.md": 425,
  "docs/bulk-kafka.md": 173,
  "docs/bulk-nats.md": 530,
  "docs/bulk-postgres.md": 608,
  "docs/bulk.md": 575,
  "docs/callers.md": 435,
  "docs/changing-tables.md": 500,
  "docs/changing-thresholds.md": 445,
  "docs/client.md": 458,
  "docs/composition.md": 437,
  "docs/decision-tables.md": 512,
  "docs/defining-decisions.md": 651,
  "docs/deployment.md": 610,
  "docs/dmn.md": 850,
  "docs/docs-page.md": 483,
  "docs/errors.md": 664,
  "docs/examples/replay-pull-request/README.md": 115,
  "docs/from-gorules.md": 623,
  "docs/from-json-rules-engine.md": 821,
  "docs/getting-started.md": 609,
  "docs/hooks.md": 562,
  "docs/http.md": 381,
  "docs/live-decisions.md": 494,
  "docs/live-profiles.md": 451,
  "docs/metrics.md": 502,
  "docs/openapi.md": 474,
  "docs/opentelemetry.md": 273,
  "docs/packages.md": 271,
  "docs/performance.md": 344,
  "docs/policy.md": 265,
  "docs/profiles.md": 555,
  "docs/protocols.md": 354,
  "docs/recipes/all-reasons.md": 194,
  "docs/recipes/facts.md": 145,
  "docs/recipes/feature-flags.md": 127,
  "docs/recipes/gateway.md": 200,
  "docs/recipes/lambda.md": 144,
  "docs/recipes/nextjs.md": 99,
  "docs/recipes/property-tests.md": 119,
  "docs/recipes/queue.md": 131,
  "docs/records.md": 964,
  "docs/runbook.md": 747,
  "docs/scaling.md": 521,
  "docs/security.md": 745,
  "docs/terms.md": 233,
  "docs/testing.md": 406,
  "docs/versions.md": 673,
  "docs/warehouses.md": 701,
  "docs/what-would-change.md": 280,
  "packages/adapter-express/README.md": 209,
  "packages/adapter-fastify/README.md": 307,
  "packages/authzen/README.md": 432,
  "packages/bulk/README.md": 573,
  "packages/client/README.md": 330,
  "packages/core/README.md": 454,
  "packages/decision-log/README.md": 587,
  "packages/explain/README.md": 114,
  "packages/metrics/README.md": 368,
  "packages/nats/README.md": 420,
  "packages/ofrep/README.md": 339,
  "packages/openapi/README.md": 511,
  "packages/otel/README.md": 173,
  "packages/pages/README.md": 46,
  "packages/postgres/README.md": 848,
  "packages/replay/README.md": 526,
  "packages/schema/README.md": 590,
  "packages/server/README.md": 902,
  "packages/table/README.md": 444,
  "packages/testing/README.md": 669,
  "packages/warehouse/README.md": 333,
  "packages/watch/README.md": 619,
  "test/README.md": 338,
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
const totalBudget = 31_003;

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
