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

  add(message: JsMsg): void {
    this.#messages.add(message);
    this.#timer ??= setInterval(() => this.#renew(), this.#renewMs).unref();
  }

  delete(message: JsMsg): void {
    this.#messages.delete(message);
    if (this.#messages.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Returns a message. @param delayMs - how long until it is redelivered */
  release(message: JsMsg, delayMs = 0): void {
    this.delete(message);
    unlessClosed(() => message.nak(delayMs));
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
