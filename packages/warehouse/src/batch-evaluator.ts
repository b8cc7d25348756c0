import { randomUUID } from "node:crypto";
import { type Awaitable, DecernError, type Decision, withProfile } from "@decern/core";
import {
  BatchRun,
  type CallOrigin,
  type Choice,
  createCallHandler,
  type Form,
  type ItemReply,
  type Places,
  plainChoice,
  prepareDecision,
  type RequestHandler,
  Runner,
  Turns,
  toErrorReply,
} from "@decern/core/host";
import { compactText, isThenable, type OptionTable, withDeadline } from "@decern/core/tools";
import { ColumnPlan } from "./columns/column-plan.js";
import type { EmitOption, WarehouseOptions } from "./options.js";
import {
  BatchRefusal,
  type Headers,
  type Protocol,
  type Row,
  type WarehouseBatch,
} from "./protocols/protocol.js";

/** What a row that could not be evaluated returns, as JSON text. Errors are masked. */
function faultText(error: unknown): string {
  const { code, message } = toErrorReply(error);
  return JSON.stringify({ status: "ERROR", code, error: message });
}

/** Writes the result of one row as compact JSON. */
const compact: Form = (result) => compactText(result);

/** Leaves room for the number of a row in the 128 characters of a request id. */
const maxLength = 110;

/**
 * Makes the request ids of the rows of one request: its own id and the number of the row. A request that is sent again has the
 * same ids, so that records of both can be recognised as of the same row.
 */
function rowRequestIds(id: string | undefined): () => string {
  const base =
    id === undefined || id.length > maxLength ? randomUUID() : id.replaceAll(/[^A-Za-z0-9._-]/g, "-");
  let row = 0;
  return () => {
    const requestId = `${base}.${row}`;
    row += 1;
    return requestId;
  };
}

/** One row on its way to a decision. */
interface RowCall<Output> {
  readonly row: readonly unknown[];
  readonly shared: SharedCall<Output>;
}

/** What all rows of a request share. */
interface SharedCall<Output> {
  readonly chosen: Choice<Output>;
  readonly origin: CallOrigin;
  readonly isSuspicious: boolean;
}

/** A request of an engine. */
interface ReceivedBatch {
  readonly body: unknown;
  /** Whether the body may have a forbidden key. */
  readonly isSuspicious: boolean;
  readonly headers: Headers;
  /** The caller, if known. */
  readonly origin: CallOrigin;
}

/** Responds to the requests of one engine with one decision. Every row is a call, with hooks, observers and a record of its own. */
export class BatchEvaluator<Input, Output, Profile> {
  readonly #options: WarehouseOptions<Input, Output, Profile> & EmitOption;
  readonly #protocol: Protocol;
  readonly #decision: Decision<unknown, Output, Profile>;
  readonly #plan: ColumnPlan;
  readonly #handler: RequestHandler<RowCall<Output>, Output>;
  readonly #turns = new Turns();
  readonly #runner: Runner;

  /** @throws DecernError `INVALID_OPTIONS` with every problem */
  constructor(
    owner: string,
    options: WarehouseOptions<Input, Output, Profile> & EmitOption,
    kinds: OptionTable<WarehouseOptions<unknown, unknown, unknown>>,
    protocol: Protocol,
    required: readonly string[],
  ) {
    const decision = prepareDecision<Output, Profile>(owner, options, kinds, ["columns", ...required]);
    const plan = new ColumnPlan(owner, decision, options.columns, protocol.roundsIntegers);
    const runner = new Runner(options);
    const { offset } = protocol;
    this.#options = options;
    this.#protocol = protocol;
    this.#decision = decision;
    this.#plan = plan;
    this.#runner = runner;
    const reader = {
      input: ({ row, shared }: RowCall<Output>) => plan.toInput(row, offset, shared.isSuspicious),
      origin: ({ shared }: RowCall<Output>) => shared.origin,
      choose: ({ shared }: RowCall<Output>) => shared.chosen,
      ignoresInput: true,
    };
    this.#handler = createCallHandler(runner, decision, reader, compact);
  }

  get hookTimeoutMs(): number {
    return this.#runner.hookTimeoutMs;
  }

  /**
   * Responds to a request.
   *
   * @returns the body of the reply; `undefined` if the client has disconnected
   * @throws BatchRefusal for what is not a request of the engine, and for a reply that would be too large
   * @throws DecernError `RECORD_UNAVAILABLE` where rows cannot be recorded, and for callbacks that failed
   */
  async answer(
    { body, isSuspicious, headers, origin }: ReceivedBatch,
    places: Places,
  ): Promise<string | undefined> {
    const protocol = this.#protocol;
    const { rows, ...sent } = protocol.read(body, headers, this.#plan.names);
    const batch = { engine: protocol.engine, ...sent, request: origin.request };
    const caller = this.#callerOf(batch, origin);
    const shared = { chosen: await this.#choose(batch), origin: { ...origin, caller }, isSuspicious };
    const nextId = rowRequestIds(sent.id);
    const unrecorded: DecernError[] = [];
    const run = new BatchRun<Row>(this.#turns, places, this.#runner, (row) => {
      if (row === null) return nothing;
      return this.#evaluate({ row, shared }, nextId(), unrecorded);
    });
    const answers: string[] = [];
    const take = ({ body: answer }: ItemReply): boolean => answers.push(answer) > 0;
    for await (const _ of run.slices(rows, take)) {
      // A query without these records is one that a retry improves.
      if (unrecorded[0] !== undefined) throw unrecorded[0];
    }
    return answers.length === rows.length ? protocol.reply(rows, answers) : undefined;
  }

  #evaluate(call: RowCall<Output>, requestId: string, unrecorded: DecernError[]): Awaitable<ItemReply> {
    const conclude = ({
      body,
      error,
    }: {
      readonly body: string;
      readonly error: DecernError | undefined;
    }): ItemReply => {
      if (error?.code === "RECORD_UNAVAILABLE") unrecorded.push(error);
      return this.#write(error === undefined ? body : faultText(error));
    };
    const reply = this.#handler.handle(call, requestId);
    return isThenable(reply) ? reply.then(conclude) : conclude(reply);
  }

  #write(text: string): ItemReply {
    const { emit = this.#protocol.emit } = this.#options;
    return { body: emit === "json" ? text : JSON.stringify(text), afterwards: undefined };
  }

  async #choose(batch: WarehouseBatch): Promise<Choice<Output>> {
    const { profileResolver } = this.#options;
    if (profileResolver === undefined) return plainChoice(this.#decision);
    const profile = await withDeadline("profileResolver", this.hookTimeoutMs, () => profileResolver(batch));
    try {
      return { ...plainChoice(withProfile(this.#decision, profile)), profileFrom: "host" };
    } catch (cause) {
      // Asking again would bring the same profile.
      throw new DecernError("INVALID_HOST_PROFILE", { statusCode: 422, cause });
    }
  }

  #callerOf(batch: WarehouseBatch, origin: CallOrigin): string | undefined {
    const { caller } = this.#options;
    if (caller === undefined) return origin.caller;
    const named: unknown = caller(batch);
    // The record of every row has it.
    if (typeof named === "string" && named.length > maxName)
      throw new BatchRefusal("BAD_REQUEST", `the caller's name has more than ${maxName} characters`);
    if (named === undefined || (typeof named === "string" && named !== "")) return named;
    const detail = "caller must return a non-empty string, or undefined for an unknown caller";
    throw new DecernError("INTERNAL_ERROR", { statusCode: 422, detail });
  }
}

/** In characters: no engine has longer ones. */
const maxName = 1000;

const nothing: ItemReply = { body: "null", afterwards: undefined };
