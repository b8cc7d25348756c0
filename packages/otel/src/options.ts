import { checkOptions, type OptionTable, optionKinds } from "@decern/core/tools";
import type { MeterProvider, TracerProvider } from "@opentelemetry/api";

/** Options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /** @default the one that an SDK has registered, or registers later */
  readonly tracerProvider?: TracerProvider | undefined;
  /** @default the one that an SDK has registered, or registers later */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Whether spans have the message and stack of what was thrown. A message that a rule or hook wrote may quote its input.
   * @default false
   */
  readonly exceptions?: boolean | undefined;
}

const { flag, withMethods } = optionKinds;

const kinds: OptionTable<OpenTelemetryOptions> = {
  tracerProvider: withMethods("getTracer"),
  meterProvider: withMethods("getMeter"),
  exceptions: flag,
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkOpenTelemetryOptions(options: OpenTelemetryOptions): void {
  checkOptions("openTelemetry", options, { kinds });
}
