import type { Consumer, ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import type { Claims } from "./claims.js";

/** How long one request for messages stays open at the server, in milliseconds. */
const expiresMs = 10_000;

/**
 * Messages on their way from the server. They arrive while others are evaluated, and the lane that takes next gets them. One
 * request is open at a time, and the next is made once all that it brought was taken.
 */
export class Feed {
  readonly #consumer: Consumer;
  readonly #claims: Claims;
  readonly #arrived: JsMsg[] = [];
  /** Ends when the server has answered it, or it has expired. */
  #request: Promise<void> | undefined;
  #messages: ConsumerMessages | undefined;
  #wakes: (() => void)[] = [];
  #isStopped = false;

  constructor(consumer: Consumer, claims: Claims) {
    this.#consumer = consumer;
    this.#claims = claims;
  }

  /** The next message, if one has arrived. It stays in the feed. */
  get first(): JsMsg | undefined {
    return this.#arrived[0];
  }

  shift(): void {
    this.#arrived.shift();
  }

  /**
   * Resolves once a message has arrived, or the feed was stopped.
   *
   * @param wanted - how many messages to ask the server for
   * @throws what the server or the connection says (rejects with it)
   */
  async wait(wanted: number): Promise<void> {
    while (this.#arrived.length === 0 && !this.#isStopped) {
      this.#request ??= this.#ask(wanted);
      // All that wait here see the end of the same request, and why it failed.
      await Promise.race([this.#request, new Promise<void>((resolve) => this.#wakes.push(resolve))]);
    }
  }

  /** Asks for no more, and gives back what has arrived. */
  stop(): void {
    this.#isStopped = true;
    void this.#messages?.close();
    for (const message of this.#arrived.splice(0)) this.#claims.release(message);
    this.#wakeAll();
  }

  #ask(wanted: number): Promise<void> {
    const request = this.#receive(wanted).finally(() => {
      this.#request = undefined;
      // Not called: a waiter that was woken here would miss the failure.
      this.#wakes = [];
    });
    // If nothing awaits it, the next request fails for the same reason.
    request.catch(() => {});
    return request;
  }

  async #receive(wanted: number): Promise<void> {
    const messages = await this.#consumer.fetch({ max_messages: wanted, expires: expiresMs });
    this.#messages = messages;
    if (this.#isStopped) void messages.close();
    for await (const message of messages) {
      if (this.#isStopped) {
        this.#claims.release(message);
        continue;
      }
      this.#claims.add(message);
      this.#arrived.push(message);
      this.#wakeAll();
    }
  }

  #wakeAll(): void {
    for (const wake of this.#wakes.splice(0)) wake();
  }
}
