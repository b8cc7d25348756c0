import type { JsMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/nats-core";

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

  /** @param delayMs - how long until it is redelivered */
  release(message: JsMsg, delayMs = 0): void {
    if (!this.#messages.has(message)) return;
    this.delete(message);
    unlessClosed(() => message.nak(delayMs));
  }

  /** Drops all messages without telling the server. */
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

/** A closed connection cannot send. The server redelivers the messages by itself. */
function unlessClosed(tell: () => void): void {
  try {
    tell();
  } catch {}
}

/** The consumer was created again with the same name. */
export class OtherConsumerError extends Error {}

/**
 * Whether the consumer is still the one whose messages this process has. One that was created again counts from 1: it would take
 * the acknowledgement of an old message for that of a new one, which is then lost.
 */
export class Standing {
  readonly #connection: Pick<NatsConnection, "info">;
  readonly #look: () => Promise<void>;
  #session: string;
  #doubts = 0;
  #settled = 0;

  /** @param look - rejects with `OtherConsumerError` if the consumer was created again, and if its settings don't fit */
  constructor(connection: Pick<NatsConnection, "info">, look: () => Promise<void>) {
    this.#connection = connection;
    this.#look = look;
    this.#session = this.#currentSession();
  }

  /** An error may mean that the consumer was deleted. */
  doubt(): void {
    this.#doubts += 1;
  }

  /**
   * Looks at the consumer, if something has failed or the connection was lost since the last look.
   *
   * @throws what `look` throws (rejects with it)
   */
  async check(): Promise<void> {
    const session = this.#currentSession();
    const doubts = this.#doubts;
    if (doubts === this.#settled && session === this.#session) return;
    await this.#look();
    this.#settled = doubts;
    this.#session = session;
  }

  /** A server numbers its connections, so a new one has a different number or server. */
  #currentSession(): string {
    const { server_id: server, client_id: client } = this.#connection.info ?? {};
    return `${server} ${client}`;
  }
}
