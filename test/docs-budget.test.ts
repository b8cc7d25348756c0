import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root, userPages } from "./support/user-pages.js";

/** The most words that a page may have, as `wc -w` counts them. */
const budgets: Readonly<Record<string, number>> = {
  ".github/pull_request_template.md": 30,
  "CODE_OF_CONDUCT.md": 40,
  "CONTRIBUTING.md": 440,
  "README.md": 679,
  "SECURITY.md": 68,
  "apps/cli/README.md": 491,
  "apps/create-decern/README.md": 88,
  "apps/create-decern/template/base/README.md": 152,
  "apps/demo/README.md": 232,
  "apps/site/README.md": 137,
  "apps/demo/requests/README.md": 51,
  "bench/README.md": 313,
  "bench/RESULTS.md": 2440,
  "docs/README.md": 211,
  "docs/adapters.md": 576,
  "docs/audit.md": 688,
  "docs/batches.md": 407,
  "docs/bulk-kafka.md": 167,
  "docs/bulk-nats.md": 435,
  "docs/bulk-postgres.md": 591,
  "docs/bulk.md": 557,
  "docs/callers.md": 417,
  "docs/changing-tables.md": 801,
  "docs/changing-thresholds.md": 431,
  "docs/client.md": 446,
  "docs/composition.md": 418,
  "docs/decision-tables.md": 479,
  "docs/defining-decisions.md": 608,
  "docs/deployment.md": 568,
  "docs/dmn.md": 500,
  "docs/docs-page.md": 466,
  "docs/errors.md": 664,
  "docs/examples/replay-pull-request/README.md": 101,
  "docs/from-gorules.md": 555,
  "docs/from-json-rules-engine.md": 702,
  "docs/getting-started.md": 590,
  "docs/hooks.md": 513,
  "docs/http.md": 352,
  "docs/live-decisions.md": 479,
  "docs/live-profiles.md": 410,
  "docs/metrics.md": 435,
  "docs/openapi.md": 409,
  "docs/opentelemetry.md": 243,
  "docs/packages.md": 267,
  "docs/performance.md": 338,
  "docs/policy.md": 261,
  "docs/profiles.md": 512,
  "docs/protocols.md": 320,
  "docs/recipes/all-reasons.md": 194,
  "docs/recipes/facts.md": 139,
  "docs/recipes/feature-flags.md": 57,
  "docs/recipes/gateway.md": 108,
  "docs/recipes/lambda.md": 144,
  "docs/recipes/nextjs.md": 99,
  "docs/recipes/property-tests.md": 119,
  "docs/recipes/queue.md": 131,
  "docs/records.md": 950,
  "docs/runbook.md": 726,
  "docs/scaling.md": 500,
  "docs/security.md": 717,
  "docs/terms.md": 233,
  "docs/testing.md": 278,
  "docs/versions.md": 652,
  "docs/warehouses.md": 652,
  "docs/what-would-change.md": 275,
  "packages/adapter-express/README.md": 207,
  "packages/adapter-fastify/README.md": 303,
  "packages/authzen/README.md": 416,
  "packages/bulk/README.md": 538,
  "packages/client/README.md": 265,
  "packages/core/README.md": 399,
  "packages/decision-log/README.md": 574,
  "packages/dmn/test/models/README.md": 85,
  "packages/explain/README.md": 97,
  "packages/metrics/README.md": 362,
  "packages/nats/README.md": 416,
  "packages/ofrep/README.md": 327,
  "packages/openapi/README.md": 431,
  "packages/otel/README.md": 138,
  "packages/pages/README.md": 46,
  "packages/postgres/README.md": 800,
  "packages/replay/README.md": 512,
  "packages/schema/README.md": 554,
  "packages/server/README.md": 846,
  "packages/table/README.md": 444,
  "packages/testing/README.md": 608,
  "packages/warehouse/README.md": 326,
  "packages/watch/README.md": 608,
  "test/README.md": 194,
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
const otherPages = ["bench/RESULTS.md", "test/README.md"];
/** Of all pages for users, but the new guides. */
const totalBudget = 29_300;

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
