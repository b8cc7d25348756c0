import { readFileSync } from "node:fs";
import type { Attributes } from "@opentelemetry/api";

/** Of the tracer and the meter. */
export const scopeName = "@decern/otel";
/** This package's version, read from its manifest so the two cannot differ. Absent in a bundle, which has no manifest. */
export const scopeVersion = readVersion();

/** Attributes of spans and of the histogram. Nothing that a caller sent is among them, except the request id. */
export const attributeNames = {
  decisionId: "decern.decision.id",
  decisionVersion: "decern.decision.version",
  status: "decern.status",
  rule: "decern.rule",
  requestId: "decern.request_id",
  hook: "decern.hook",
  /** Of OpenTelemetry's semantic conventions. */
  errorType: "error.type",
} as const;

export const durationHistogram = {
  name: "decern.evaluation.duration",
  options: {
    description: "Duration of evaluations",
    unit: "s",
    advice: {
      explicitBucketBoundaries: [
        0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
      ],
    },
  },
};

function readVersion(): string | undefined {
  try {
    const { version }: { readonly version: string } = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8"),
    );
    return version;
  } catch {
    return undefined;
  }
}

/** Which decision a span or a measurement is about. */
export function decisionAttributes({
  id,
  version,
}: {
  readonly id: string;
  readonly version: string;
}): Attributes {
  return { [attributeNames.decisionId]: id, [attributeNames.decisionVersion]: version };
}
