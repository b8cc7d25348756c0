import { Counter, Histogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { metrics } from "../src/index.js";
import { evaluatorWith, loan, parseSamples } from "./fixtures.js";
import { promtool } from "./promtool.js";

it("shares one page with a prom-client registry", async () => {
  const register = new Registry();
  const logins = new Counter({
    name: "logins_total",
    help: "Logins.",
    labelNames: ["via"],
    registers: [register],
  });
  const queries = new Histogram({
    name: "query_seconds",
    help: "Queries.",
    buckets: [0.1],
    registers: [register],
  });
  logins.inc({ via: "form" });
  queries.observe(0.05);
  const m = metrics({ enabled: true });
  await evaluatorWith(m.observer).evaluate(loan, { input: { score: 700 } });

  const page = `${await register.metrics()}${m.collector.toPrometheus()}`;

  expect(promtool(["check", "metrics"], page)).toEqual({ code: 0, output: "" });
  const samples = parseSamples(page);
  expect(samples).toContainEqual({ name: "logins_total", labels: { via: "form" }, value: 1 });
  expect(samples).toContainEqual({ name: "query_seconds_count", labels: {}, value: 1 });
  expect(samples).toContainEqual({
    name: "engine_evaluations_total",
    labels: { decision_id: "loan", status: "OK" },
    value: 1,
  });
});
