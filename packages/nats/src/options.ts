import { decisionRows } from "@decern/core/host";
import { checkedOptions, kinds, type OptionsOf, option, requiredOption } from "@decern/core/options";
import type { JetStreamOptions } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/nats-core";

/** A subject to publish to. */
const subject = kinds.matching(
  /^[^\s.*>]+(?:\.[^\s.*>]+)*$/,
  "must be a subject without wildcards and spaces",
);

/** What a source and its set-up have in common. */
export const placeRows = {
  /**
   * Of any NATS transport, with `maxReconnectAttempts: -1`.
   *
   * It stays yours: close it after the worker has ended.
   */
  connection: requiredOption(kinds.withMethods<NatsConnection>("publish", "request", "subscribe")),
  /** `domain`, `apiPrefix`, `timeout` of the API. @default none */
  jetstream: option(kinds.object<JetStreamOptions>(), {}),
  /** Input stream. */
  stream: requiredOption(kinds.nonEmptyText),
  /**
   * Its durable pull consumer.
   *
   * With explicit acknowledgement. All workers share it.
   */
  consumer: requiredOption(kinds.nonEmptyText),
  /** Subject; a stream must store it and `<results>.tries.>`. */
  results: requiredOption(subject),
  /** Subject; a stream must store it. @default `<results>.dead` */
  deadLetters: option(subject),
};

const rows = {
  ...placeRows,
  /** How many workers a message can end before it is a dead letter. @default 5 */
  maxTries: option(kinds.wholeNumber, 5),
  /** For the age of messages. @default system clock */
  clock: decisionRows.clock,
};

/** Options of `natsSource`. */
export interface NatsSourceOptions extends OptionsOf<typeof rows> {}

/** Options with their defaults. */
export type NatsSettings = ReturnType<typeof settingsOf>;

/** Where tries are noted: what comes below this subject. */
export function triesOf(results: string): string {
  return `${results}.tries`;
}

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function settingsOf(options: NatsSourceOptions) {
  const checked = checkedOptions("natsSource", options, rows);
  return { ...checked, deadLetters: checked.deadLetters ?? `${checked.results}.dead` };
}
