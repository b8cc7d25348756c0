import type { BulkItem } from "@decern/bulk";
import type { JetStreamClient, JetStreamManager, JsMsg } from "@nats-io/jetstream";
import { type NatsSettings, triesOf } from "../options.js";
import type { OpenStream } from "./open-stream.js";

export interface TakenMessage {
  readonly message: JsMsg;
  readonly items: readonly BulkItem[];
}

/**
 * Names a message for whatever is published about it: the same for every publisher, and however often.
 *
 * @param separator - between the parts of the name
 */
export function messageId(
  { seq, timestampNanos }: Pick<JsMsg, "seq" | "timestampNanos">,
  { stream, consumer }: Pick<NatsSettings, "stream" | "consumer">,
  separator = ":",
): string {
  // Another consumer of the stream, with a different decision, may publish to the same results.
  // A stream that was created again counts from 1. Without the time, its results would be dropped as duplicates.
  return [stream, consumer, seq, timestampNanos].join(separator);
}

const newline = 0x0a;

/**
 * The inputs of a message: one a line. A message of one line has its sequence as its position, the lines of others have
 * `<sequence>:<line>`, from 1. A message without any text is one input, which isn't JSON.
 */
export function messageLines({ seq, data }: Pick<JsMsg, "seq" | "data">): readonly BulkItem[] {
  const lines = linesOf(data);
  return lines.map((bytes, index) => ({
    position: lines.length === 1 ? String(seq) : `${seq}:${index + 1}`,
    bytes,
  }));
}

/** An empty line counts: it gets a result in its place. */
function linesOf(data: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = data.indexOf(newline); end !== -1; end = data.indexOf(newline, start)) {
    lines.push(data.subarray(start, end));
    start = end + 1;
  }
  if (start < data.length || lines.length === 0) lines.push(data.subarray(start));
  return lines;
}

/**
 * Counts how often the evaluation of a message was begun without an end. The server's count of deliveries does not tell: it also
 * counts those that ended because a worker was stopped, or lost its connection.
 *
 * Each try but the first is noted before it begins, in the stream of results. While that takes nothing, no try begins.
 */
export class Tries {
  readonly #settings: NatsSettings;
  readonly #jetstream: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #stream: string;
  /** The last note of each message that this process has noted. */
  readonly #notes = new WeakMap<JsMsg, "begun" | "ended">();

  constructor(settings: NatsSettings, { jetstream, manager, resultStream }: OpenStream) {
    this.#settings = settings;
    this.#jetstream = jetstream;
    this.#manager = manager;
    this.#stream = resultStream;
  }

  /**
   * Notes that messages are about to be evaluated.
   *
   * @throws what the server or the connection says (rejects with it); then none may be evaluated
   */
  async begin(messages: readonly TakenMessage[]): Promise<void> {
    const again = messages.flatMap(({ message }) =>
      message.info.deliveryCount === 1 || this.#notes.has(message) ? [] : [message],
    );
    await Promise.all(again.map((message) => this.#note(message, "begun")));
  }

  /** Reverts `begin`: the process has survived the message, which gets one more try. */
  async takeBack(message: JsMsg): Promise<void> {
    if (this.#notes.get(message) !== "begun") return;
    // The stream of results may be what failed. That costs one try, and the next needs room in the stream.
    await this.#note(message, "ended").catch(() => {});
  }

  /**
   * How often the evaluation of a message was begun without an end. Its first delivery counts, whatever came of it.
   *
   * @throws what the server or the connection says (rejects with it)
   */
  async count(message: JsMsg): Promise<number> {
    const subject = this.#subjectOf(message);
    const { state } = await this.#manager.streams.info(this.#stream, { subjects_filter: `${subject}.*` });
    const { [`${subject}.begun`]: begun = 0, [`${subject}.ended`]: ended = 0 } = state.subjects ?? {};
    return 1 + begun - ended;
  }

  async #note(message: JsMsg, what: "begun" | "ended"): Promise<void> {
    const { deliveryCount } = message.info;
    await this.#jetstream.publish(`${this.#subjectOf(message)}.${what}`, "", {
      msgID: `${messageId(message, this.#settings)}:${deliveryCount}:${what}`,
    });
    this.#notes.set(message, what);
  }

  #subjectOf(message: JsMsg): string {
    return `${triesOf(this.#settings.results)}.${messageId(message, this.#settings, ".")}`;
  }
}
