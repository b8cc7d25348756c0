import type { BulkResult } from "@decern/bulk";
import { JetStreamApiError, type JetStreamClient, type JsMsg } from "@nats-io/jetstream";
import { headers, type MsgHdrs } from "@nats-io/nats-core";
import type { NatsSettings } from "../options.js";
import type { OpenStream } from "./open-stream.js";
import { messageId } from "./tries.js";

/** Room for the headers of a published message, in bytes. The server counts them too. */
const headerBytes = 1024;

/** JetStream: "message size exceeds maximum allowed" by the stream's limit. */
const messageTooLarge = 10_054;

/** A message is too large for a dead letter, and its stream would delete it. */
export class TooLargeError extends Error {}

/** Publishes results and dead letters, and then acknowledges the messages. */
export class Outbox {
  readonly #settings: NatsSettings;
  readonly #jetstream: JetStreamClient;
  readonly #keepsInputs: boolean;

  constructor(
    settings: NatsSettings,
    { jetstream, keepsInputs }: Pick<OpenStream, "jetstream" | "keepsInputs">,
  ) {
    this.#settings = settings;
    this.#jetstream = jetstream;
    this.#keepsInputs = keepsInputs;
  }

  /**
   * Publishes the results of a message, one a line. Where they are stored already, the stream drops them.
   *
   * @throws what the server or the connection says (rejects with it)
   */
  async answer(message: JsMsg, results: readonly BulkResult[]): Promise<void> {
    const body = Buffer.from(results.map(({ text }) => text).join("\n"));
    const { results: subject } = this.#settings;
    if (!this.#fits(body)) return await this.giveUp(message, tooLarge(body));
    try {
      await this.#jetstream.publish(subject, body, {
        msgID: messageId(message, this.#settings),
        headers: this.#origin(message),
      });
    } catch (thrown) {
      if (!isTooLarge(thrown)) throw thrown;
      await this.giveUp(message, tooLarge(body));
    }
  }

  /**
   * Tells the server that a message is done.
   *
   * @throws what the server or the connection says (rejects with it); the message may then be delivered again
   */
  async acknowledge(message: JsMsg): Promise<void> {
    // Without a confirmation, the acknowledgement may be lost.
    await message.ackAck();
  }

  /**
   * Publishes a message as a dead letter.
   *
   * @throws TooLargeError (rejects with it) where only an empty one would fit, and the message would be lost then
   * @throws what the server or the connection says (rejects with it)
   */
  async giveUp(message: JsMsg, reason: string): Promise<void> {
    const origin = this.#origin(message);
    origin.set("Decern-Reason", reason);
    origin.set("Decern-Deliveries", String(message.info.deliveryCount));
    const send = (data: Uint8Array) =>
      this.#jetstream.publish(this.#settings.deadLetters, data, {
        msgID: `${messageId(message, this.#settings)}:dead`,
        headers: origin,
      });
    const sendReference = () => {
      // The server would delete a message that nothing else has.
      if (!this.#keepsInputs) {
        throw new TooLargeError(`message ${message.seq} is too large for a dead letter`);
      }
      origin.set("Decern-Omitted", String(message.data.length));
      return send(new Uint8Array());
    };
    // An input may have the maximum size, which leaves no room for headers.
    if (this.#fits(message.data)) {
      await send(message.data).catch((thrown: unknown) => {
        if (!isTooLarge(thrown)) throw thrown;
        return sendReference();
      });
    } else {
      await sendReference();
    }
  }

  #fits({ length }: Uint8Array): boolean {
    const mostBytes = this.#settings.connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    return length + headerBytes <= mostBytes;
  }

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
