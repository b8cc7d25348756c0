import { createServer } from "node:http";
import { z } from "zod";
import { listening } from "../../support/listening.js";

// OTLP/HTTP 1.x in its JSON encoding, as the specification of OpenTelemetry has it. Ids are hexadecimal, enumerations numbers.
const attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z.object({ stringValue: z.string().optional(), intValue: z.number().optional() }),
    }),
  )
  .transform((list) =>
    Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue])),
  );
const span = z.object({
  traceId: z.string().regex(/^[\da-f]{32}$/),
  spanId: z.string().regex(/^[\da-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes,
  events: z.array(z.unknown()).default([]),
  status: z.object({ code: z.number().default(0), message: z.string().optional() }),
});
const traces = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
});
const point = z.object({
  attributes,
  count: z.coerce.number(),
  sum: z.number(),
  bucketCounts: z.array(z.coerce.number()),
  explicitBounds: z.array(z.number()),
});
const metric = z.object({
  name: z.string(),
  unit: z.string(),
  histogram: z.object({ dataPoints: z.array(point) }).optional(),
});
const metrics = z.object({
  resourceMetrics: z.array(z.object({ scopeMetrics: z.array(z.object({ metrics: z.array(metric) })) })),
});

export type ReceivedSpan = z.infer<typeof span> & { readonly scope: string };
export type ReceivedMetric = z.infer<typeof metric>;

/** A collector that keeps what it receives, and answers every other path too. */
export async function startReceiver() {
  const spans: ReceivedSpan[] = [];
  const received: ReceivedMetric[] = [];
  const problems: unknown[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    try {
      if (request.url === "/v1/traces") {
        bodies.push(body);
        for (const { scopeSpans } of traces.parse(JSON.parse(body)).resourceSpans)
          for (const { scope, spans: list } of scopeSpans)
            spans.push(...list.map((one) => ({ ...one, scope: scope.name })));
      } else if (request.url === "/v1/metrics") {
        bodies.push(body);
        for (const { scopeMetrics } of metrics.parse(JSON.parse(body)).resourceMetrics)
          received.push(...scopeMetrics.flatMap((scope) => scope.metrics));
      }
    } catch (error) {
      problems.push(error);
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  const { url, close } = await listening(server);
  return {
    url,
    spans,
    metrics: received,
    problems,
    /** Everything that was sent, as it was sent. */
    bodies,
    close,
  };
}
