import type { BulkResult } from "@decern/core";
import { JetStreamApiError, type JetStreamClient, type JsMsg } from "@nats-io/jetstream";
import { headers, type MsgHdrs } from "@nats-io/nats-core";
import type { NatsSettings } from "../options.js";

/** What the headers of a published message may take, in bytes. The server counts them as well. */
const headerBytes = 1024;

/** JetStream: "message size exceeds maximum allowed", by the stream's own limit. */
const messageTooLarge = 10_054;

/** Publishes what became of messages, and then acknowledges them. */
export class Outbox {
  readonly #settings: NatsSettings;
  readonly #jetstream: JetStreamClient;

  constructor(settings: NatsSettings, jetstream: JetStreamClient) {
    this.#settings = settings;
    this.#jetstream = jetstream;
  }

  /**
   * Publishes the results of a message, one a line, and acknowledges the message once they are stored. Where they are stored
   * already, the stream drops them.
   *
   * @throws what the server or the connection says (rejects with it); the message is then delivered again
   */
  async answer(message: JsMsg, results: readonly BulkResult[]): Promise<void> {
    const body = Buffer.from(results.map(({ text }) => text).join("\n"));
    const { connection, results: subject } = this.#settings;
    const mostBytes = connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    if (body.length + headerBytes > mostBytes) return await this.giveUp(message, tooLarge(body));
    try {
      await this.#jetstream.publish(subject, body, {
        msgID: this.#idOf(message),
        headers: this.#origin(message),
      });
    } catch (thrown) {
      if (!isTooLarge(thrown)) throw thrown;
      return await this.giveUp(message, tooLarge(body));
    }
    // Without an answer to the acknowledgement, nobody knows whether it arrived.
    await message.ackAck();
  }

  /**
   * Publishes a message as a dead letter, and then tells the server not to deliver it again.
   *
   * @throws what the server or the connection says (rejects with it); the message is then delivered again
   */
  async giveUp(message: JsMsg, reason: string): Promise<void> {
    const origin = this.#origin(message);
    origin.set("Decern-Reason", reason);
    origin.set("Decern-Deliveries", String(message.info.deliveryCount));
    await this.#jetstream.publish(this.#settings.deadLetters, message.data, {
      msgID: `${this.#idOf(message)}:dead`,
      headers: origin,
    });
    message.term();
  }

  /** The same whoever answers the message, and however often. */
  #idOf({ seq }: JsMsg): string {
    // Another consumer of the stream, which asks another decision, may publish to the same stream of results.
    const { stream, consumer } = this.#settings;
    return `${stream}:${consumer}:${seq}`;
  }

  /** Tells a reader which input was answered. */
  #origin({ seq }: JsMsg): MsgHdrs {
    const origin = headers();
    origin.set("Decern-Stream", this.#settings.stream);
    origin.set("Decern-Sequence", String(seq));
    return origin;
  }
}

function tooLarge({ length }: Buffer): string {
  return `the results have ${length} bytes, more than a message may have`;
}

function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof JetStreamApiError && thrown.code === messageTooLarge;
}
