import type { EvaluationEvent } from "@decern/core";
import { describe, expect, it } from "vitest";
import { MetricsCollector } from "../src/index.js";
import { loan } from "./fixtures.js";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";

/** An evaluation that took 2 ms. */
function evaluated(requestId: string, traceparent?: string): EvaluationEvent {
  const headers = traceparent === undefined ? {} : { traceparent };
  const request = { method: "POST", path: "/decisions/loan", headers, ip: undefined, identity: undefined };
  return {
    decision: loan,
    status: "OK",
    durationSeconds: 0.002,
    matchedRule: "standard",
    result: undefined,
    error: undefined,
    used: [],
    context: {
      decisionId: "loan",
      decisionVersion: "1.0.0",
      selectedBy: "default",
      input: {},
      profile: {},
      requestId,
      timestamp: new Date(1_700_000_000_250),
      request,
    },
  };
}

/** The exemplars of the page, by the bound of their bucket. */
function exemplarsOf(collector: MetricsCollector, accept?: string): readonly string[] {
  const lines = collector.render(accept).body.split("\n");
  return lines.flatMap((line) => {
    const [, le, exemplar] = /le="(\S+)"\} \d+ # (.*)$/.exec(line) ?? [];
    return le === undefined ? [] : [`${le} ${exemplar}`];
  });
}

const openMetrics = "application/openmetrics-text; version=1.0.0";

describe("exemplars", () => {
  it("name the latest request and its trace, in the bucket of its duration, and in OpenMetrics only", () => {
    const collector = new MetricsCollector({ exemplars: true });
    collector.observer.onEvaluated(evaluated("r-1"));
    collector.observer.onEvaluated(evaluated("r-2", `00-${trace}-00f067aa0ba902b7-01`));
    expect(exemplarsOf(collector, openMetrics)).toEqual([
      `0.005 {request_id="r-2",trace_id="${trace}"} 0.002 1700000000.25`,
    ]);
    expect(exemplarsOf(collector, "text/plain")).toEqual([]);
    collector.reset();
    expect(exemplarsOf(collector, openMetrics)).toEqual([]);
  });

  it("are left out by default", () => {
    const collector = new MetricsCollector();
    collector.observer.onEvaluated(evaluated("r-1"));
    expect(exemplarsOf(collector, openMetrics)).toEqual([]);
  });

  it("have no more than the 128 characters that OpenMetrics allows, and no invalid trace", () => {
    const shown = (requestId: string, traceparent?: string): string => {
      const collector = new MetricsCollector({ exemplars: true });
      collector.observer.onEvaluated(evaluated(requestId, traceparent));
      return /# \{(.*)\}/.exec(collector.render(openMetrics).body)?.[1] ?? "";
    };
    const longest = "x".repeat(128 - "request_id".length - "trace_id".length - trace.length);
    expect(shown(longest, `00-${trace}-00f067aa0ba902b7-01`)).toBe(
      `request_id="${longest}",trace_id="${trace}"`,
    );
    expect(shown(`${longest}x`, `00-${trace}-00f067aa0ba902b7-01`)).toBe(`trace_id="${trace}"`);
    expect(shown(`${longest}x`)).toBe("");
    for (const invalid of [`00-${"0".repeat(32)}-00f067aa0ba902b7-01`, "00-4bf9", `${trace}`, 'x"} 1'])
      expect(shown("r-1", invalid)).toBe('request_id="r-1"');
    expect(shown('a"b\\\ud800')).toBe('request_id="a\\"b\\\\\ufffd"');
  });
});
