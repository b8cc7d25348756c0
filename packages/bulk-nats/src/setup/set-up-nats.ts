import { checkOptions, type OptionTable, optionKinds } from "@decern/core/tools";
import { jetstreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import { type NatsPlace, placeKinds, subjectKind, triesOf } from "../options.js";
import { setUpConsumer } from "./set-up-consumer.js";
import { setUpStream } from "./set-up-stream.js";

/** Options of `setUpNats`. What is left out keeps its value where something is there already. */
export interface NatsSetup extends NatsPlace {
  /** Name of the stream with the inputs. */
  readonly stream: string;
  /** What it stores. */
  readonly subjects: readonly string[];
  /** Name of the durable consumer that all workers share. */
  readonly consumer: string;
  /** Subject of results. */
  readonly results: string;
  /** Subject for messages that were given up. @default `<results>.dead` */
  readonly deadLetters?: string | undefined;
  /** Name of the stream that stores results, dead letters, and notes of repeated tries. @default `<stream>-RESULTS` */
  readonly resultsStream?: string | undefined;
  /** How long a worker may be silent before its messages are delivered again, in milliseconds. @default 30000 */
  readonly ackWaitMs?: number | undefined;
  /** Most messages that all workers together may have. @default 5000 */
  readonly maxAckPending?: number | undefined;
  /**
   * How long a stream remembers the ids that it has, in milliseconds. It holds them in memory.
   * @default 600000, ten minutes
   */
  readonly duplicateWindowMs?: number | undefined;
  /** How long messages are kept, answered or not, in milliseconds. @default for ever */
  readonly maxAgeMs?: number | undefined;
  /** How many servers of a cluster keep each message. @default 1 */
  readonly replicas?: number | undefined;
}

const { nonEmptyText, listOf, either, wholeNumber } = optionKinds;

/** JetStream counts in nanoseconds, so weeks are fine that no timer could wait for. */
const milliseconds = either("must be a number of milliseconds above 0", (value, path) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? [] : [{ path, message: "" }],
);

const kinds: OptionTable<NatsSetup> = {
  ...placeKinds,
  stream: nonEmptyText,
  subjects: listOf(nonEmptyText, { nonEmpty: true }),
  consumer: nonEmptyText,
  results: subjectKind,
  deadLetters: subjectKind,
  resultsStream: nonEmptyText,
  ackWaitMs: wholeNumber,
  maxAckPending: wholeNumber,
  duplicateWindowMs: milliseconds,
  maxAgeMs: milliseconds,
  replicas: wholeNumber,
};

/**
 * Creates the streams and the consumer that `natsSource` needs, or changes them to what is asked for. Several processes may run
 * it. Nothing is deleted, and nothing is changed that somebody else may rely on.
 *
 * @throws DecernError `INVALID_OPTIONS` (rejects with it) with every problem, also where something is there already that
 *   contradicts
 *
 * @example
 * ```ts
 * await setUpNats({
 *   connection,
 *   stream: "LOANS",
 *   subjects: ["loans.requests"],
 *   consumer: "approval",
 *   results: "loans.answers",
 * });
 * ```
 */
export async function setUpNats(options: NatsSetup): Promise<void> {
  const required = ["connection", "stream", "subjects", "consumer", "results"];
  checkOptions("setUpNats", options, { kinds, required });
  const { connection, stream, subjects, consumer, results, ackWaitMs, maxAckPending } = options;
  const { deadLetters = `${results}.dead`, resultsStream = `${stream}-RESULTS` } = options;
  const manager = await jetstreamManager(connection, options.jetstream);
  const limits = {
    ...(options.duplicateWindowMs === undefined
      ? {}
      : { duplicate_window: nanos(options.duplicateWindowMs) }),
    ...(options.maxAgeMs === undefined ? {} : { max_age: nanos(options.maxAgeMs) }),
    ...(options.replicas === undefined ? {} : { num_replicas: options.replicas }),
  };
  await setUpStream(manager, { name: stream, subjects, limits });
  const published = [results, deadLetters, `${triesOf(results)}.>`];
  await setUpStream(manager, { name: resultsStream, subjects: published, limits });
  await setUpConsumer(manager, stream, consumer, {
    ...(ackWaitMs === undefined ? {} : { ack_wait: nanos(ackWaitMs) }),
    ...(maxAckPending === undefined ? {} : { max_ack_pending: maxAckPending }),
  });
}
