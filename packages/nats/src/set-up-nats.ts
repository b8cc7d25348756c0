import { DecernError, type Problem } from "@decern/core";
import { checkedOptions, kinds, type OptionsOf, option, requiredOption } from "@decern/core/options";
import {
  AckPolicy,
  type ConsumerUpdateConfig,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamUpdateConfig,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import { placeRows, triesOf } from "./options.js";
import { consumerProblems, found } from "./take/open-stream.js";

/** What is wanted and not there yet; `undefined` where everything is. */
function changesOf<Config extends object>(
  existing: Config,
  wanted: Partial<Config>,
): Partial<Config> | undefined {
  const isThere = Object.entries(wanted).every(([name, value]) => Reflect.get(existing, name) === value);
  return isThere ? undefined : wanted;
}

/**
 * @param what - what is there already
 * @throws DecernError `INVALID_OPTIONS` where it has problems
 */
function refuseExisting(what: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new DecernError("INVALID_OPTIONS", {
    detail: `setUpNats: ${what} exists with other settings`,
    problems,
  });
}

interface WantedStream {
  readonly name: string;
  readonly subjects: readonly string[];
  /** What was asked for. */
  readonly limits: Partial<StreamUpdateConfig>;
}

const tenMinutes = nanos(600_000);

/** Creates a stream, or gives it the limits that were asked for. */
async function setUpStream(manager: JetStreamManager, wanted: WantedStream): Promise<void> {
  const { name, subjects, limits } = wanted;
  const existing = await found(manager.streams.info(name));
  if (existing === undefined) {
    await manager.streams.add({
      name,
      subjects: [...subjects],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      // A stream that is full refuses what is new: what is old may not be evaluated yet.
      discard: DiscardPolicy.New,
      duplicate_window: limits.max_age === undefined ? tenMinutes : Math.min(tenMinutes, limits.max_age),
      ...limits,
    });
    return;
  }
  refuseExisting(`stream ${name}`, problemsOf(existing.config, subjects));
  const changes = changesOf(existing.config, limits);
  if (changes !== undefined) await manager.streams.update(name, changes);
}

function problemsOf(config: StreamConfig, subjects: readonly string[]): readonly Problem[] {
  const { retention, storage, discard, mirror, sealed, no_ack: isSilent } = config;
  const missing = subjects.filter((subject) => !config.subjects?.includes(subject));
  const limits = [config.max_msgs, config.max_bytes, config.max_msgs_per_subject];
  const canFill = limits.some((limit) => limit > 0);
  return [
    ...(retention === "limits"
      ? []
      : [{ path: "/retention", message: `must be "limits", not "${retention}"` }]),
    ...(storage === "file" ? [] : [{ path: "/storage", message: `must be "file", not "${storage}"` }]),
    ...(missing.length === 0
      ? []
      : [{ path: "/subjects", message: `must contain ${missing.join(" and ")}` }]),
    ...(canFill && discard === "old"
      ? [{ path: "/discard", message: 'must be "new", otherwise a full stream deletes unread messages' }]
      : []),
    ...(mirror === undefined && sealed !== true
      ? []
      : [{ path: "", message: "must accept messages, but it is sealed or a mirror" }]),
    ...(isSilent === true
      ? [{ path: "/no_ack", message: "must be false; otherwise storage is not acknowledged" }]
      : []),
  ];
}

/** Creates the durable consumer of all workers, or gives it the limits that were asked for. */
async function setUpConsumer(
  manager: JetStreamManager,
  stream: string,
  name: string,
  limits: ConsumerUpdateConfig,
): Promise<void> {
  const existing = await found(manager.consumers.info(stream, name));
  if (existing === undefined) {
    await manager.consumers.add(stream, {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(30_000),
      max_ack_pending: 5000,
      // Workers count the tries: what the server gave up would be nowhere.
      max_deliver: -1,
      ...limits,
    });
    return;
  }
  const { deliver_policy: begins, filter_subject: filter } = existing.config;
  refuseExisting(`consumer ${name} of stream ${stream}`, [
    ...consumerProblems(existing),
    ...(begins === "all" ? [] : [{ path: "/deliver_policy", message: `must be "all", not "${begins}"` }]),
    ...(filter === undefined || filter === ""
      ? []
      : [{ path: "/filter_subject", message: `must be absent, not "${filter}"` }]),
  ]);
  const changes = changesOf(existing.config, limits);
  if (changes !== undefined) await manager.consumers.update(stream, name, changes);
}

/** JetStream counts in nanoseconds, so weeks are fine that no timer could wait for. */
const milliseconds = kinds.that<number>(
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
  "must be a number of milliseconds above 0",
);

const rows = {
  ...placeRows,
  /** Of the input stream. */
  subjects: requiredOption(kinds.listOf(kinds.nonEmptyText, { nonEmpty: true })),
  /** For results, dead letters and notes. @default `<stream>-RESULTS` */
  resultsStream: option(kinds.nonEmptyText),
  /** A worker's silence before redelivery, in milliseconds. @default 30000 */
  ackWaitMs: option(kinds.wholeNumber),
  /**
   * Unacknowledged messages.
   *
   * Of all workers together.
   * @default 5000
   */
  maxAckPending: option(kinds.wholeNumber),
  /**
   * For deduplication, in milliseconds.
   *
   * A stream keeps the ids of that time in memory.
   * @default 600000
   */
  duplicateWindowMs: option(milliseconds),
  /**
   * How long messages stay, in milliseconds.
   *
   * Whether or not they are evaluated.
   * @default unlimited
   */
  maxAgeMs: option(milliseconds),
  /** Copies of each message. @default 1 */
  replicas: option(kinds.wholeNumber),
};

/** Options of `setUpNats`. Without one, an existing stream or consumer keeps its value. */
export interface NatsSetup extends OptionsOf<typeof rows> {}

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
  const given = checkedOptions("setUpNats", options, rows);
  const { connection, stream, subjects, consumer, results, ackWaitMs, maxAckPending } = given;
  const { deadLetters = `${results}.dead`, resultsStream = `${stream}-RESULTS` } = given;
  const manager = await jetstreamManager(connection, given.jetstream);
  const limits = {
    ...(given.duplicateWindowMs === undefined ? {} : { duplicate_window: nanos(given.duplicateWindowMs) }),
    ...(given.maxAgeMs === undefined ? {} : { max_age: nanos(given.maxAgeMs) }),
    ...(given.replicas === undefined ? {} : { num_replicas: given.replicas }),
  };
  await setUpStream(manager, { name: stream, subjects, limits });
  const published = [results, deadLetters, `${triesOf(results)}.>`];
  await setUpStream(manager, { name: resultsStream, subjects: published, limits });
  await setUpConsumer(manager, stream, consumer, {
    ...(ackWaitMs === undefined ? {} : { ack_wait: nanos(ackWaitMs) }),
    ...(maxAckPending === undefined ? {} : { max_ack_pending: maxAckPending }),
  });
}
