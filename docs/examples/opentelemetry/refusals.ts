import type { EvaluationObserver } from "@decern/core";
import { trace } from "@opentelemetry/api";

/** Adds an event to the span of the request when a hook rejects it. */
export const refusals: EvaluationObserver = {
  onStarted({ decision }) {
    const request = trace.getActiveSpan();
    return {
      onEnded({ status, context }) {
        if (status === "REFUSED")
          request?.addEvent(`${decision.id} refused`, { caller: context.caller ?? "" });
      },
    };
  },
  onEvaluated() {},
};
