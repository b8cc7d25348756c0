import type { JsMsg } from "@nats-io/jetstream";

/**
 * The messages that this process has. While it has them, it tells the server in good time that it works on them, however long
 * that takes.
 */
export class Claims {
  readonly #renewMs: number;
  readonly #messages = new Set<JsMsg>();
  #timer: NodeJS.Timeout | undefined;

  /** @param ackWaitMs - how long the server waits for an acknowledgement before it delivers a message again */
  constructor(ackWaitMs: number) {
    this.#renewMs = Math.max(ackWaitMs / 3, 1);
  }

  has(message: JsMsg): boolean {
    return this.#messages.has(message);
  }

  add(message: JsMsg): void {
    this.#messages.add(message);
    this.#timer ??= setInterval(() => this.#renew(), this.#renewMs).unref();
  }

  delete(message: JsMsg): void {
    this.#messages.delete(message);
    this.#rest();
  }

  /** Returns a message that this process has. @param delayMs - how long until it is redelivered */
  release(message: JsMsg, delayMs = 0): void {
    if (!this.#messages.has(message)) return;
    this.delete(message);
    unlessClosed(() => message.nak(delayMs));
  }

  /** Drops all messages without a word to the server. */
  forget(): void {
    this.#messages.clear();
    this.#rest();
  }

  #rest(): void {
    if (this.#messages.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #renew(): void {
    for (const message of this.#messages) unlessClosed(() => message.working());
  }
}

/** Nothing can be sent on a closed connection. The server redelivers the messages by itself. */
function unlessClosed(tell: () => void): void {
  try {
    tell();
  } catch {}
}
