import { expect, it } from "vitest";
import { parseSamples } from "./fixtures.js";
import { sharedPage } from "./shared-page.js";

it("shares one page with a prom-client registry", async () => {
  const samples = parseSamples(await sharedPage());
  expect(samples).toContainEqual({ name: "logins_total", labels: { via: "form" }, value: 1 });
  expect(samples).toContainEqual({ name: "query_seconds_count", labels: {}, value: 1 });
  expect(samples).toContainEqual({
    name: "engine_evaluations_total",
    labels: { decision_id: "loan", status: "OK" },
    value: 1,
  });
});
