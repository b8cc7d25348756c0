import {
  defineDecision,
  type Logger,
  type MetricsCollectorPort,
  type MetricsFeature,
  type OpenAPIFeature,
} from "@decern/core";
import { feature } from "@decern/core/options";
import type { LightMyRequestResponse } from "fastify";
import { z } from "zod";
import type { DecisionServer } from "../../src/index.js";

/** Ends as its input's `case` selects. Its rules have access to the whole input, so a careless author could leak it. */
export const probe = defineDecision({
  id: "probe",
  version: "1.0.0",
  inputSchema: z.object({ case: z.string(), secret: z.string(), count: z.number().max(10).default(1) }),
  outputSchema: z.object({ answer: z.string().max(4) }),
  profileSchema: z.object({ secret: z.string().optional(), limit: z.number().max(10).default(1) }),
  rules: [
    {
      id: "throws",
      when: (input) => {
        if (input.case === "throws") throw new TypeError("The rule is broken");
        return false;
      },
      emit: () => ({ answer: "no" }),
    },
    {
      id: "answers-no-boolean",
      when: (input) => (input.case === "no boolean" ? JSON.parse(JSON.stringify(input.secret)) : false),
      emit: () => ({ answer: "no" }),
    },
    { id: "breaks", when: (input) => input.case === "breaks", emit: ({ secret }) => ({ answer: secret }) },
    {
      id: "explains-nothing",
      when: (input) => input.case === "explains nothing",
      emit: () => ({ answer: "yes" }),
      explain: (input) => JSON.parse(JSON.stringify({ because: input.secret })),
    },
    { id: "matches", when: (input) => input.case === "matches", emit: () => ({ answer: "yes" }) },
  ],
});

/** A logger that keeps its lines. */
export function recordingLogger(): Logger & { readonly lines: readonly (readonly [object, string])[] } {
  const lines: (readonly [object, string])[] = [];
  return { lines, error: (details, message) => void lines.push([details, message]) };
}

const collector: MetricsCollectorPort = {
  increment() {},
  observe() {},
  getCounter: () => 0,
  getHistogram: () => ({ sum: 0, count: 0 }),
  toPrometheus: () => "",
  reset() {},
};

/** The minimum that the metrics port requires, because packages must not import their siblings. */
export const metrics: MetricsFeature = {
  [feature]: "metrics",
  enabled: true,
  endpoint: "/metrics",
  collector,
  observer: { onEvaluated() {} },
  render: () => ({ contentType: "text/plain; version=0.0.4; charset=utf-8", body: "a 1\n" }),
};

/** The minimum that the OpenAPI port requires. Its document contains the service that the server described. */
export const openapi: OpenAPIFeature = {
  [feature]: "openapi",
  enabled: true,
  endpoint: "/openapi.json",
  swaggerUI: true,
  swaggerEndpoint: "/swagger",
  buildDocument: (_decisions, service) => ({
    openapi: "3.0.3",
    info: { title: "t", version: "1" },
    paths: {},
    "x-service": service,
  }),
};

/** Posts JSON to the decision. */
export function post(
  server: DecisionServer,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  return server.handler.inject({
    method: "POST",
    url: "/decisions/probe",
    headers: { "content-type": "application/json", ...headers },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });
}
