import { describe, expect, it } from "vitest";
import { MetricsCollector } from "../src/index.js";

const text = "text/plain; version=0.0.4; charset=utf-8";
const openMetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";

describe("the format of the page", () => {
  it.each([
    ["nothing", undefined, text],
    ["an empty header", "", text],
    ["curl", "*/*", text],
    ["a browser", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", text],
    [
      "Prometheus 2",
      "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
      openMetrics,
    ],
    [
      "Prometheus 3",
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
      openMetrics,
    ],
    [
      "a Prometheus that prefers protobuf",
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
      openMetrics,
    ],
    [
      "a Prometheus from 2018",
      "application/openmetrics-text; version=0.0.1,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
      text,
    ],
    ["OpenMetrics of any version", "application/openmetrics-text", openMetrics],
    ["a type in capitals, a version in quotes", 'Application/OpenMetrics-Text; Version="1.0.0"', openMetrics],
    [
      "OpenMetrics with a lower quality than text",
      "application/openmetrics-text;q=0.4, text/plain;q=0.5",
      text,
    ],
    [
      "OpenMetrics with a higher quality than text",
      "text/plain;q=0.5, application/openmetrics-text;q=0.6",
      openMetrics,
    ],
    ["both alike", "application/openmetrics-text, text/plain", text],
    ["OpenMetrics excluded", "application/openmetrics-text;q=0, */*;q=0.1", text],
    [
      "a range overridden by a more specific one",
      "application/openmetrics-text;q=0.2, text/plain;q=0.3, application/*;q=0.9",
      text,
    ],
    ["any application", "application/*, text/plain;q=0.5", openMetrics],
    ["text excluded", "*/*, text/plain;q=0", openMetrics],
    ["an invalid quality", "application/openmetrics-text;q=high, text/plain;q=0.1", text],
    ["a quality above one", "application/openmetrics-text;q=2, text/plain;q=0.1", text],
    ["rubbish", ";;,,q=1;=,/", text],
  ])("for %s", (_who, accept, contentType) => {
    const page = new MetricsCollector().render(accept);
    expect(page.contentType).toBe(contentType);
    expect(page.body.endsWith("# EOF\n")).toBe(contentType === openMetrics);
  });
});
