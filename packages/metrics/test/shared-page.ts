import { Counter, Histogram, Registry } from "prom-client";
import { metrics } from "../src/index.js";
import { evaluatorWith, loan } from "./fixtures.js";

/** One page of a prom-client registry and of metrics, as the guide shows it. */
export async function sharedPage(): Promise<string> {
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
  return `${await register.metrics()}${m.collector.toPrometheus()}`;
}
