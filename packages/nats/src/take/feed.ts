import type { Consumer, ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import type { Claims, Standing } from "./claims.js";
import type { TakenMessage } from "./tries.js";

/** How long a request for messages stays open at the server, in milliseconds. */
const expiresMs = 10_000;

/**
 * Messages on their way from the server. They arrive while others are evaluated, and the lane that takes next gets them. One
 * request is open at a time, and the next is made once all that it brought was taken.
 */
export class Feed {
  readonly #consumer: Consumer;
  readonly #claims: Claims;
  readonly #standing: Standing;
  readonly #held: (readonly TakenMessage[])[] = [];
  readonly #arrived: JsMsg[] = [];
  #request: Promise<void> | undefined;
  #messages: ConsumerMessages | undefined;
  #wakes: (() => void)[] = [];
  #isStopped = false;

  constructor(consumer: Consumer, claims: Claims, standing: Standing) {
    this.#consumer = consumer;
    this.#claims = claims;
    this.#standing = standing;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Keeps messages that cannot be processed now, until a lane takes them or the feed is stopped. */
  hold(messages: readonly TakenMessage[]): void {
    if (this.#isStopped) this.#giveBack(messages);
    else if (messages.length > 0) this.#held.push(messages);
  }

  /** Removes messages that could not be processed before. */
  takeHeld(): readonly TakenMessage[] | undefined {
    return this.#held.shift();
  }

  get first(): JsMsg | undefined {
    return this.#arrived[0];
  }

  shift(): void {
    this.#arrived.shift();
  }

  putBack(message: JsMsg): void {
    if (this.#isStopped) this.#claims.release(message);
    else this.#arrived.unshift(message);
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
      // Everything that waits here gets the end or the error of the same request.
      await Promise.race([this.#request, new Promise<void>((resolve) => this.#wakes.push(resolve))]);
    }
  }

  /** Stops requesting, and returns what it has. */
  stop(): void {
    this.#isStopped = true;
    void this.#messages?.close();
    for (const message of this.#arrived.splice(0)) this.#claims.release(message);
    for (const messages of this.#held.splice(0)) this.#giveBack(messages);
    this.#wakeAll();
  }

  #giveBack(messages: readonly TakenMessage[]): void {
    for (const { message } of messages) this.#claims.release(message);
  }

  #ask(wanted: number): Promise<void> {
    const request = this.#receive(wanted).finally(() => {
      this.#request = undefined;
      // Not called: a waiter that was woken here would miss the error.
      this.#wakes = [];
    });
    // The consumer may have been deleted. If nothing awaits the request, the next one fails for the same reason.
    request.catch(() => this.#standing.doubt());
    return request;
  }

  async #receive(wanted: number): Promise<void> {
    const messages = await this.#consumer.fetch({ max_messages: wanted, expires: expiresMs });
    this.#messages = messages;
    if (this.#isStopped) void messages.close();
    for await (const message of messages) {
      this.#claims.add(message);
      if (this.#isStopped) {
        this.#claims.release(message);
        continue;
      }
      this.#arrived.push(message);
      this.#wakeAll();
    }
  }

  #wakeAll(): void {
    for (const wake of this.#wakes.splice(0)) wake();
  }
}
