import { DecernError, type Problem } from "@decern/core";
import {
  type Consumer,
  type ConsumerInfo,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamInfo,
} from "@nats-io/jetstream";
import { millis, nanos } from "@nats-io/nats-core";
import { type NatsSettings, triesOf } from "../options.js";

/** A problem of a setting, unless `isRight`. */
function unless(isRight: boolean, path: string, message: string): readonly Problem[] {
  return isRight ? [] : [{ path, message }];
}

/** Settings of a consumer that would lose or repeat inputs. Paths are their names. */
export function consumerProblems({ config }: ConsumerInfo): readonly Problem[] {
  const {
    ack_policy: acks,
    deliver_subject: pushed,
    max_deliver: most = -1,
    filter_subjects: filters,
  } = config;
  return [
    ...unless(acks === "explicit", "/ack_policy", `must be "explicit", not "${acks}"`),
    ...unless(pushed === undefined, "/deliver_subject", "must be absent: workers pull"),
    ...unless(most <= 0, "/max_deliver", `must be -1, not ${most}: workers count the tries`),
    ...unless(filters === undefined, "/filter_subjects", "must be absent: one filter at most"),
  ];
}

/** What a source works with, once checked. */
export interface OpenStream {
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly consumer: Consumer;
  /** How long the server waits for an acknowledgement, in milliseconds. */
  readonly ackWaitMs: number;
  /** Changes when the stream or consumer is created again with the same name. */
  readonly identity: string;
  readonly resultStream: string;
  readonly deadStream: string;
  /** Whether the stream keeps messages that were acknowledged. */
  readonly keepsInputs: boolean;
  /** The consumer's filter, if it has one. */
  readonly filter: string | undefined;
}

/**
 * Looks at the streams and the consumer: a setting that would lose or repeat something is refused.
 *
 * @throws DecernError `INVALID_OPTIONS` (rejects with it) with every problem
 */
export async function openStream(settings: NatsSettings): Promise<OpenStream> {
  const { connection, stream, consumer: name, results, deadLetters } = settings;
  const manager = await jetstreamManager(connection, { ...settings.jetstream, checkAPI: false });
  const info = await found(manager.consumers.info(stream, name));
  if (info === undefined)
    throw refusal([{ path: "/consumer", message: `stream ${stream} has no consumer ${name}` }]);
  const ackWait = info.config.ack_wait ?? nanos(30_000);
  const inputs = await manager.streams.info(stream);
  const answers = await storeOf(manager, results);
  const dead = await storeOf(manager, deadLetters);
  const problems = [
    ...consumerProblems(info).map(({ path, message }) => ({
      path: `/consumer${path}`,
      message,
    })),
    ...storeProblems("/results", results, answers, ackWait),
    ...storeProblems("/deadLetters", deadLetters, dead, ackWait),
    ...(answers === undefined ? [] : triesProblems(answers, triesOf(results))),
  ];
  if (problems.length > 0 || dead === undefined || answers === undefined) throw refusal(problems);
  const client = jetstream(connection, settings.jetstream);
  return {
    jetstream: client,
    manager,
    consumer: client.consumers.getConsumerFromInfo(info),
    ackWaitMs: millis(ackWait),
    identity: `${inputs.created} ${info.created}`,
    resultStream: answers.config.name,
    deadStream: dead.config.name,
    keepsInputs: inputs.config.retention === "limits",
    filter: info.config.filter_subject,
  };
}

function storeProblems(
  path: string,
  subject: string,
  store: StreamInfo | undefined,
  ackWait: number,
): readonly Problem[] {
  if (store === undefined) return [{ path, message: `no stream stores ${subject}` }];
  const { name, duplicate_window: window, retention } = store.config;
  const longer = `the duplicate_window of stream ${name} must be longer than the consumer's ack_wait`;
  return [
    ...unless(window > ackWait, path, longer),
    // Such a stream keeps only what a consumer reads at that time.
    ...unless(retention !== "interest", path, `the retention of stream ${name} must not be "interest"`),
  ];
}

/** Tries are stored with the results, so that none begins whose result could not be stored. */
function triesProblems({ config }: StreamInfo, tries: string): readonly Problem[] {
  const wanted = `${tries}.>`;
  const isStored = config.subjects?.some((subject) => covers(subject, wanted)) ?? false;
  return unless(isStored, "/results", `stream ${config.name} of the results must store ${wanted} as well`);
}

/** Whether a stream's subject includes everything under another that ends in `>`. */
function covers(subject: string, wanted: string): boolean {
  const tokens = subject.split(".");
  const others = wanted.split(".");
  const differs = tokens.findIndex((token, index) => token !== "*" && token !== others[index]);
  if (differs === -1) return tokens.length === others.length;
  return tokens[differs] === ">";
}

async function storeOf(manager: JetStreamManager, subject: string): Promise<StreamInfo | undefined> {
  const name = await found(manager.streams.find(subject));
  return name === undefined ? undefined : await manager.streams.info(name);
}

/** `undefined` if the server has no such thing. */
export async function found<Value>(request: Promise<Value>): Promise<Value | undefined> {
  try {
    return await request;
  } catch (thrown) {
    const { ConsumerNotFound, StreamNotFound } = JetStreamApiCodes;
    const isMissing =
      thrown instanceof JetStreamApiError &&
      [ConsumerNotFound, StreamNotFound].some((code) => code === thrown.code);
    if (isMissing) return undefined;
    throw thrown;
  }
}

function refusal(problems: readonly Problem[]): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail: "natsSource", problems });
}
