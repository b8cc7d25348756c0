import { once } from "node:events";
import { Agent, request } from "node:http";
import { requestBody } from "../support/requests.js";

const body = requestBody("loan-approval/prime.json");

/**
 * Clients that keep their connections, each with one request at a time. What HTTP says may be sent again is sent again at
 * once: a request that got 503 with `Retry-After`, and one on a kept connection that closed before any reply.
 */
export class KeepAliveClients {
  /** How often each outcome of a try was seen: a status, or an error. */
  readonly outcomes = new Map<string, number>();
  /** The ids of the requests that got 200. */
  readonly served: string[] = [];
  /** The ids of the requests that got anything else in the end. */
  readonly lost: string[] = [];
  readonly #port: number;
  readonly #agent: Agent;
  readonly #work: readonly Promise<void>[];
  #isOver = false;

  constructor(port: number, count: number) {
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: count });
    this.#work = Array.from({ length: count }, async (_unused, client) => {
      for (let sent = 0; !this.#isOver; sent += 1) await this.#call(`${client}-${sent}`);
    });
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
    this.#agent.destroy();
  }

  async #call(id: string): Promise<void> {
    for (;;) {
      const { outcome, mayRepeat } = await this.#try(id);
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      if (mayRepeat) continue;
      if (outcome === "200") this.served.push(id);
      else this.lost.push(id);
      return;
    }
  }

  async #try(id: string): Promise<{ readonly outcome: string; readonly mayRepeat: boolean }> {
    const sent = request({
      port: this.#port,
      host: "127.0.0.1",
      path: "/decisions/loan-approval",
      method: "POST",
      agent: this.#agent,
      headers: { "content-type": "application/json", "content-length": body.length, "x-request-id": id },
    });
    let hasReply = false;
    try {
      sent.end(body);
      const [reply] = await once(sent, "response");
      hasReply = true;
      reply.resume();
      await once(reply, "end");
      const mayRepeat = reply.statusCode === 503 && reply.headers["retry-after"] !== undefined;
      return { outcome: String(reply.statusCode), mayRepeat };
    } catch (error) {
      return { outcome: String(error), mayRepeat: !hasReply && sent.reusedSocket };
    }
  }
}
