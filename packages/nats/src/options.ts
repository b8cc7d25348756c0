import type { Clock } from "@decern/core";
import { evaluatorOptionKinds } from "@decern/core/host";
import { checkOptions, type OptionTable, optionKinds, systemClock } from "@decern/core/tools";
import type { JetStreamOptions } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/nats-core";

/** Which server, and which JetStream in it. */
export interface NatsPlace {
  /** As `connect` of a transport returns it. It stays yours: close it after the worker has ended. */
  readonly connection: NatsConnection;
  /** For accounts with a domain or a prefix of their own, and for the time-out of requests. */
  readonly jetstream?: JetStreamOptions | undefined;
}

/** Options of `natsSource`. */
export interface NatsSourceOptions extends NatsPlace {
  /** Name of the stream with the inputs. */
  readonly stream: string;
  /** Name of its durable pull consumer, with explicit acknowledgement. All workers share it. */
  readonly consumer: string;
  /** Subject that results are published to. A stream must store it, and `<results>.tries.>`, where repeated tries are noted. */
  readonly results: string;
  /** Subject for messages that were given up. A stream must store it. @default `<results>.dead` */
  readonly deadLetters?: string | undefined;
  /** How often the evaluation of a message may end with the process. @default 5 */
  readonly maxTries?: number | undefined;
  /** Tells how old the oldest message is. @default the machine's own */
  readonly clock?: Clock | undefined;
}

const { either, nonEmptyText, object, withMethods, wholeNumber } = optionKinds;

export const subjectKind = either("must be a subject without wildcards and spaces", (value, path) =>
  typeof value === "string" && /^[^\s.*>]+(?:\.[^\s.*>]+)*$/.test(value) ? [] : [{ path, message: "" }],
);

export const placeKinds: OptionTable<NatsPlace> = {
  connection: withMethods("publish", "request", "subscribe"),
  jetstream: object,
};

const kinds: OptionTable<NatsSourceOptions> = {
  ...placeKinds,
  stream: nonEmptyText,
  consumer: nonEmptyText,
  results: subjectKind,
  deadLetters: subjectKind,
  maxTries: wholeNumber,
  clock: evaluatorOptionKinds.clock,
};

export interface NatsSettings
  extends Pick<NatsSourceOptions, "connection" | "stream" | "consumer" | "results"> {
  readonly jetstream: JetStreamOptions;
  readonly deadLetters: string;
  readonly maxTries: number;
  readonly clock: Clock;
}

/** Tries are recorded below this subject. */
export function triesOf(results: string): string {
  return `${results}.tries`;
}

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function settingsOf(options: NatsSourceOptions): NatsSettings {
  checkOptions("natsSource", options, { kinds, required: ["connection", "stream", "consumer", "results"] });
  const { connection, stream, consumer, results, jetstream = {} } = options;
  const { deadLetters = `${results}.dead`, maxTries = 5, clock = systemClock } = options;
  return { connection, stream, consumer, results, deadLetters, maxTries, jetstream, clock };
}
