import type { NatsConnection } from "@nats-io/nats-core";

/** The consumer is another one of the same name. */
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

  /** @param look - rejects with `OtherConsumerError` where the consumer is another one, and where it does not fit */
  constructor(connection: Pick<NatsConnection, "info">, look: () => Promise<void>) {
    this.#connection = connection;
    this.#look = look;
    this.#session = this.#currentSession();
  }

  /** Something failed: the reason may be that the consumer was deleted. */
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

  /** A server numbers its connections, so a new one has another number or another server. */
  #currentSession(): string {
    const { server_id: server, client_id: client } = this.#connection.info ?? {};
    return `${server} ${client}`;
  }
}
