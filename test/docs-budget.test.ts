import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root, userPages } from "./support/user-pages.js";

/** The most words that a page for users may have, as `wc -w` counts them. */
const budgets: Readonly<Record<string, number>> = {
  "README.md": 850,
  "CONTRIBUTING.md": 550,
  "SECURITY.md": 68,
  "apps/cli/README.md": 560,
  "apps/demo/README.md": 280,
  "apps/demo/requests/README.md": 70,
  "bench/README.md": 150,
  "docs/README.md": 200,
  "docs/adapters.md": 800,
  "docs/audit.md": 920,
  "docs/batches.md": 540,
  "docs/bulk.md": 760,
  "docs/bulk-kafka.md": 200,
  "docs/bulk-nats.md": 750,
  "docs/bulk-postgres.md": 760,
  "docs/callers.md": 520,
  "docs/changing-thresholds.md": 520,
  "docs/client.md": 540,
  "docs/composition.md": 520,
  "docs/decision-tables.md": 1150,
  "docs/defining-decisions.md": 820,
  "docs/deployment.md": 720,
  "docs/dmn.md": 850,
  "docs/docs-page.md": 260,
  "docs/errors.md": 1050,
  "docs/examples/replay-pull-request/README.md": 120,
  "docs/from-json-rules-engine.md": 1000,
  "docs/getting-started.md": 680,
  "docs/hooks.md": 640,
  "docs/http.md": 480,
  "docs/live-profiles.md": 620,
  "docs/metrics.md": 380,
  "docs/openapi.md": 680,
  "docs/opentelemetry.md": 340,
  "docs/packages.md": 380,
  "docs/performance.md": 380,
  "docs/profiles.md": 720,
  "docs/protocols.md": 380,
  "docs/records.md": 1190,
  "docs/runbook.md": 540,
  "docs/scaling.md": 630,
  "docs/security.md": 930,
  "docs/terms.md": 240,
  "docs/testing.md": 500,
  "docs/versions.md": 760,
  "docs/warehouses.md": 860,
  "docs/what-would-change.md": 280,
  "packages/adapter-express/README.md": 220,
  "packages/adapter-fastify/README.md": 340,
  "packages/authzen/README.md": 430,
  "packages/bulk/README.md": 620,
  "packages/client/README.md": 360,
  "packages/core/README.md": 660,
  "packages/decision-log/README.md": 660,
  "packages/metrics/README.md": 360,
  "packages/ofrep/README.md": 335,
  "packages/nats/README.md": 430,
  "packages/openapi/README.md": 500,
  "packages/otel/README.md": 180,
  "packages/postgres/README.md": 1050,
  "packages/replay/README.md": 560,
  "packages/schema/README.md": 660,
  "packages/server/README.md": 950,
  "packages/testing/README.md": 700,
  "packages/warehouse/README.md": 350,
};
/** The README of a package that isn't in the list. */
const packageBudget = 700;

/** Guides that are still to be written, or have just been. */
const newGuides = ["docs/decision-tables.md", "docs/dmn.md", "docs/from-json-rules-engine.md"];
const totalBudget = 33_350;

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

describe("the documentation for users", () => {
  it("is found", () => {
    expect(userPages).toEqual(
      expect.arrayContaining(["README.md", "docs/profiles.md", "packages/core/README.md"]),
    );
  });

  it.each(userPages)("%s is within its budget", (path) => {
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
