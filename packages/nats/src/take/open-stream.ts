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

/** What a source works with, once it was seen to fit. */
export interface OpenStream {
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly consumer: Consumer;
  /** How long the server waits for an acknowledgement, in milliseconds. */
  readonly ackWaitMs: number;
  /** Differs once the stream or the consumer was deleted and created again under the same name. */
  readonly identity: string;
  /** Stream that stores results. */
  readonly resultStream: string;
  /** Stream that stores dead letters. */
  readonly deadStream: string;
  /** Whether the stream of inputs keeps what was evaluated. */
  readonly keepsInputs: boolean;
  /** Of the inputs, where the consumer does not read all of the stream. */
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
  return [
    ...(window > ackWait
      ? []
      : [
          {
            path,
            message: `the duplicate_window of stream ${name} must be longer than the consumer's ack_wait`,
          },
        ]),
    // It keeps only what somebody reads at that moment.
    ...(retention === "interest"
      ? [{ path, message: `the retention of stream ${name} must not be "interest"` }]
      : []),
  ];
}

/** They are noted in the stream of results, so that none begins that could not be evaluated. */
function triesProblems({ config }: StreamInfo, tries: string): readonly Problem[] {
  const wanted = `${tries}.>`;
  const isStored = config.subjects?.some((subject) => covers(subject, wanted)) ?? false;
  return isStored
    ? []
    : [{ path: "/results", message: `stream ${config.name} of the results must store ${wanted} as well` }];
}

/** Whether a subject of a stream includes all of another that ends in `>`. */
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

/** `undefined` for what the server does not have. */
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
