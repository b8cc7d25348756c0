import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killAll, startProcess, stop } from "../../support/service.js";
import { type ReceivedSpan, startReceiver } from "./otlp-receiver.js";

const folder = mkdtempSync(join(tmpdir(), "decern-otel-"));
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const callers = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let output = "";

async function post(url: string, input: object, headers: Readonly<Record<string, string>> = {}) {
  const reply = await fetch(`${url}/decisions/loan`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ input }),
  });
  await reply.text();
  return reply.status;
}

// One service, with the HTTP instrumentation and the OTLP exporters of OpenTelemetry, from start to end.
beforeAll(async () => {
  receiver = await startReceiver();
  const service = startProcess(
    process.execPath,
    ["--import", path("telemetry.mjs"), path("traced-service.mjs")],
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, RECORDS: folder },
  );
  const [, port] = await service.printed(/http:\/\/127\.0\.0\.1:(\d+)\/docs/);
  const url = `http://127.0.0.1:${port}`;
  expect(await post(url, { income: 43210.98765, name: "Jane Doe" }, { traceparent: callers })).toBe(200);
  expect(await post(url, { income: -43210.98765, name: "Jane Doe" })).toBe(500);
  await stop(service);
  output = service.output();
});

afterAll(async () => {
  killAll();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Spans of the trace of the first call, or of the others, but the instrumentation's own of other requests. */
function traceOf(isFirst: boolean): readonly ReceivedSpan[] {
  const first = callers.split("-")[1];
  const evaluations = receiver.spans.filter(({ name }) => name === "evaluate loan");
  const one = evaluations.find(({ traceId }) => (traceId === first) === isFirst);
  return receiver.spans.filter(({ traceId }) => traceId === one?.traceId);
}

/** Names and kinds from a span up to the caller's. */
function pathOf(spans: readonly ReceivedSpan[], name: string): readonly string[] {
  const names: string[] = [];
  let span = spans.find((candidate) => candidate.name === name);
  while (span !== undefined) {
    names.push(`${span.scope} ${span.name}`);
    const { parentSpanId } = span;
    span = spans.find(({ spanId }) => spanId === parentSpanId);
    if (span === undefined && parentSpanId !== undefined) names.push(parentSpanId);
  }
  return names;
}

const http = "@opentelemetry/instrumentation-http";
const ours = "@decern/otel";

describe("a service that is traced", () => {
  it("sends OTLP that a receiver reads", () => {
    expect(receiver.problems).toEqual([]);
    expect(receiver.spans.length).toBeGreaterThan(0);
  });

  it("has each evaluation below the span of its HTTP request, and that below the caller's", () => {
    const above = [`${http} POST`, "00f067aa0ba902b7"];
    const evaluation = [`${ours} evaluate loan`, ...above];
    expect(pathOf(traceOf(true), "evaluate loan")).toEqual(evaluation);
    expect(pathOf(traceOf(true), "evaluate score")).toEqual([`${ours} evaluate score`, ...evaluation]);
  });

  it("has what a hook calls below the hook", () => {
    const [call, hook, evaluation] = pathOf(traceOf(true), "GET");
    expect({ call, hook, evaluation }).toEqual({
      call: `${http} GET`,
      hook: `${ours} beforeEvaluate`,
      evaluation: `${ours} evaluate loan`,
    });
  });

  it("has a fault as the error of its span", () => {
    const fault = traceOf(false).find(({ name }) => name === "evaluate loan");
    expect(fault?.status).toEqual({ code: 2, message: "EVALUATION_FAILED" });
    expect(fault?.attributes).toMatchObject({ "error.type": "EVALUATION_FAILED", "decern.status": "ERROR" });
    const fine = traceOf(true).find(({ name }) => name === "evaluate loan");
    expect(fine?.status.code).toBe(0);
    expect(fine?.attributes).toMatchObject({ "decern.status": "OK", "decern.rule": "rich" });
  });

  it("sends nothing of any input", () => {
    for (const body of receiver.bodies) expect(body).not.toMatch(/Jane|43210\.9/);
  });

  it("measures durations in seconds", () => {
    const histogram = receiver.metrics.findLast(({ name }) => name === "decern.evaluation.duration");
    expect(histogram?.unit).toBe("s");
    const points = histogram?.histogram?.dataPoints ?? [];
    expect(points.map(({ attributes, count }) => [attributes["decern.status"], count]).toSorted()).toEqual([
      ["ERROR", 1],
      ["OK", 1],
    ]);
    for (const { bucketCounts, explicitBounds, count } of points) {
      expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
      expect(bucketCounts.reduce((sum, one) => sum + one, 0)).toBe(count);
    }
  });

  it("has the ids of the spans in records and in the log", () => {
    const records = readdirSync(folder)
      .filter((name) => name.endsWith(".ndjson"))
      .flatMap((name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n"))
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
      .filter((line) => "recordId" in line);
    expect(records.map(({ status }) => status)).toEqual(["OK", "ERROR"]);
    for (const { status, traceparent } of records) {
      const evaluation = traceOf(status === "OK").find(({ name }) => name === "evaluate loan");
      expect(traceparent).toBe(`00-${evaluation?.traceId}-${evaluation?.spanId}-01`);
      if (status === "ERROR") expect(output).toContain(`trace_id: '${evaluation?.traceId}'`);
    }
  });
});
