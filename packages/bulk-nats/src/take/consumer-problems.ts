import type { Problem } from "@decern/core";
import type { ConsumerInfo } from "@nats-io/jetstream";

/** What about a consumer would lose or repeat inputs. Paths are the names of its settings. */
export function consumerProblems({ config }: ConsumerInfo): readonly Problem[] {
  const {
    ack_policy: acks,
    deliver_subject: pushed,
    max_deliver: most = -1,
    filter_subjects: filters,
  } = config;
  return [
    ...(acks === "explicit" ? [] : [{ path: "/ack_policy", message: `must be "explicit", not "${acks}"` }]),
    ...(pushed === undefined ? [] : [{ path: "/deliver_subject", message: "must be absent: workers pull" }]),
    ...(most <= 0
      ? []
      : [{ path: "/max_deliver", message: `must be -1, not ${most}: workers count the tries` }]),
    ...(filters === undefined
      ? []
      : [{ path: "/filter_subjects", message: "must be absent: one filter at most" }]),
  ];
}
