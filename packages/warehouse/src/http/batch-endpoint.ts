import { DecernError, type ErrorReply, type RequestView } from "@decern/core";
import { Lists, LoadGate, readIdentity } from "@decern/core/host";
import type { RowsOf } from "@decern/core/options";
import { withDeadline } from "@decern/core/tools";
import { BatchEvaluator } from "../batch-evaluator.js";
import { httpRows, type WarehouseHttpOptions } from "../options.js";
import { BatchRefusal, type Protocol } from "../protocols/protocol.js";
import { bigquery, snowflake } from "../protocols/warehouses.js";
import { type ArrivedRequest, failureReader, originOf, readBody } from "./read-body.js";

/** 16 MiB, beyond which no engine documents to send. */
const defaultBodyLimit = 16 * 1024 * 1024;

const unstored = { "cache-control": "no-store" } as const;

/** What is sent. */
export interface HttpReply {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Responds to the requests of an engine over HTTP. It never throws. */
export class BatchEndpoint<Input, Output, Profile> {
  readonly #batches: BatchEvaluator<Input, Output, Profile>;
  readonly #protocol: Protocol;
  readonly #authenticate: WarehouseHttpOptions<Input, Output, Profile>["authenticate"];
  readonly #bodyLimit: number;
  readonly #load: LoadGate | undefined;
  readonly #lists: Lists;
  readonly #failureOf: (thrown: unknown) => ErrorReply;

  /** @throws DecernError `INVALID_OPTIONS` with every problem */
  constructor(owner: string, options: WarehouseHttpOptions<Input, Output, Profile>, rows: RowsOf = httpRows) {
    const protocol = options?.engine === "snowflake" ? snowflake : bigquery;
    this.#batches = new BatchEvaluator(owner, options, rows, protocol);
    const { authenticate, bodyLimit = defaultBodyLimit, overload, clock } = options;
    this.#protocol = protocol;
    this.#authenticate = authenticate;
    this.#bodyLimit = bodyLimit;
    this.#load = overload === undefined ? undefined : new LoadGate(overload, clock);
    this.#lists = new Lists(this.#batches.service.runner, this.#load);
    this.#failureOf = failureReader(this.#batches.service.logger);
  }

  /**
   * @param isGone - whether the client has disconnected
   * @returns `undefined` if the client has disconnected
   */
  async answer(request: ArrivedRequest, isGone: () => boolean): Promise<HttpReply | undefined> {
    const load = this.#load;
    const places = this.#lists.placesOf(request, isGone);
    try {
      if (request.raw.method !== "POST") throw new DecernError("METHOD_NOT_ALLOWED");
      await this.#letIn(request);
      // Every engine slows down at 429, and some of them fail at 503.
      if (load?.enter(request) === false) throw new BatchRefusal("OVERLOADED", undefined, 429);
      const read = await readBody(request.raw, this.#bodyLimit);
      const { headers } = request.raw;
      const body = await this.#batches.answer(
        { ...read, headers, origin: originOf(request) },
        this.#lists,
        places,
      );
      return body === undefined ? undefined : { status: 200, body, headers: unstored };
    } catch (thrown) {
      return isGone() ? undefined : this.#refuse(this.#failureOf(thrown));
    } finally {
      places.leave();
    }
  }

  async stop(): Promise<void> {
    this.#load?.stop();
    await this.#batches.service.stop();
  }

  async #letIn(request: ArrivedRequest): Promise<void> {
    const authenticate = this.#authenticate;
    if (authenticate === "host") return;
    const view: RequestView = originOf(request).request;
    const answer: unknown = await withDeadline(
      "authenticate",
      this.#batches.service.runner.hookTimeoutMs,
      () => authenticate(view),
    );
    if (answer === true) return;
    request.identity = readIdentity(answer);
    if (request.identity === undefined) throw new DecernError("UNAUTHORIZED");
  }

  #refuse(reply: ErrorReply): HttpReply {
    const { status } = reply;
    const retryAfter = this.#load?.retryAfter ?? "1";
    const headers = status === 429 || status === 503 ? { ...unstored, "retry-after": retryAfter } : unstored;
    return { status, body: this.#protocol.refusal(reply), headers };
  }
}
