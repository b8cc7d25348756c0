import { DecernError, type Problem } from "@decern/core";
import { checkOptions, type OptionTable, optionKinds } from "@decern/core/tools";
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
import { type NatsPlace, placeKinds, subjectKind, triesOf } from "./options.js";
import { consumerProblems, found, unless } from "./take/open-stream.js";

/** The settings that differ; `undefined` for none. */
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
  readonly limits: Partial<StreamUpdateConfig>;
}

const tenMinutes = nanos(600_000);

async function setUpStream(manager: JetStreamManager, wanted: WantedStream): Promise<void> {
  const { name, subjects, limits } = wanted;
  const existing = await found(manager.streams.info(name));
  if (existing === undefined) {
    await manager.streams.add({
      name,
      subjects: [...subjects],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      // A full stream rejects new messages: old ones may not have a result yet.
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
  const acceptsMessages = mirror === undefined && sealed !== true;
  return [
    ...unless(retention === "limits", "/retention", `must be "limits", not "${retention}"`),
    ...unless(storage === "file", "/storage", `must be "file", not "${storage}"`),
    ...unless(missing.length === 0, "/subjects", `must contain ${missing.join(" and ")}`),
    ...unless(
      !canFill || discard !== "old",
      "/discard",
      'must be "new", otherwise a full stream deletes unread messages',
    ),
    ...unless(acceptsMessages, "", "must accept messages, but it is sealed or a mirror"),
    ...unless(isSilent !== true, "/no_ack", "must be false; otherwise storage is not acknowledged"),
  ];
}

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
      // Workers count the tries: a message that the server gives up would be lost.
      max_deliver: -1,
      ...limits,
    });
    return;
  }
  const { deliver_policy: begins, filter_subject: filter } = existing.config;
  refuseExisting(`consumer ${name} of stream ${stream}`, [
    ...consumerProblems(existing),
    ...unless(begins === "all", "/deliver_policy", `must be "all", not "${begins}"`),
    ...unless(filter === undefined || filter === "", "/filter_subject", `must be absent, not "${filter}"`),
  ]);
  const changes = changesOf(existing.config, limits);
  if (changes !== undefined) await manager.consumers.update(stream, name, changes);
}

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

/** JetStream counts in nanoseconds, so weeks are allowed, although no timer could wait that long. */
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
  const { duplicateWindowMs, maxAgeMs, replicas } = options;
  const limits = {
    ...(duplicateWindowMs !== undefined && { duplicate_window: nanos(duplicateWindowMs) }),
    ...(maxAgeMs !== undefined && { max_age: nanos(maxAgeMs) }),
    ...(replicas !== undefined && { num_replicas: replicas }),
  };
  await setUpStream(manager, { name: stream, subjects, limits });
  const published = [results, deadLetters, `${triesOf(results)}.>`];
  await setUpStream(manager, { name: resultsStream, subjects: published, limits });
  await setUpConsumer(manager, stream, consumer, {
    ...(ackWaitMs !== undefined && { ack_wait: nanos(ackWaitMs) }),
    ...(maxAckPending !== undefined && { max_ack_pending: maxAckPending }),
  });
}
