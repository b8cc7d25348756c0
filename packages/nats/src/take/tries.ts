import type { JetStreamClient, JetStreamManager, JsMsg } from "@nats-io/jetstream";
import { type NatsSettings, triesOf } from "../options.js";
import { messageId, type TakenMessage } from "./messages.js";
import type { OpenStream } from "./open-stream.js";

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
