import { randomUUID } from "node:crypto";
import {
  type Awaitable,
  DecernError,
  type Decision,
  type Origin,
  type Result,
  withProfile,
} from "@decern/core";
import {
  createSingleService,
  type Lists,
  type Run,
  type Service,
  type Target,
  toErrorReply,
} from "@decern/core/host";
import type { RowsOf } from "@decern/core/options";
import { compactText, isThenable, withDeadline } from "@decern/core/tools";
import { ColumnPlan, columnsKind } from "./columns/column-plan.js";
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
const compact = (result: Result): string => compactText(result);

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

/** What all rows of a request share. */
interface SharedCall {
  readonly target: Target;
  readonly plan: ColumnPlan;
  readonly choice: Run["choice"];
  readonly origin: Origin;
  readonly isSuspicious: boolean;
}

/** A request of an engine. */
interface ReceivedBatch {
  readonly body: unknown;
  /** Whether the body may have a forbidden key. */
  readonly isSuspicious: boolean;
  readonly headers: Headers;
  /** The caller, if known, and the request. */
  readonly origin: Origin;
}

/** Responds to the requests of one engine with one decision. Every row is a call, with hooks, observers and a record of its own. */
export class BatchEvaluator<Input, Output, Profile> {
  readonly service: Service<WarehouseBatch>;
  readonly #options: WarehouseOptions<Input, Output, Profile> & EmitOption;
  readonly #protocol: Protocol;
  readonly #planOf: (target: Target) => ColumnPlan;
  readonly #owner: string;

  /** @throws DecernError `INVALID_OPTIONS` with every problem */
  constructor(
    owner: string,
    options: WarehouseOptions<Input, Output, Profile> & EmitOption,
    rows: RowsOf,
    protocol: Protocol,
  ) {
    const plans = new WeakMap<Decision, ColumnPlan>();
    const planOf = ({ served: { standard } }: Target): ColumnPlan => {
      const { decision } = standard;
      const plan = plans.get(decision) ?? new ColumnPlan(decision, options.columns, protocol.roundsIntegers);
      plans.set(decision, plan);
      return plan;
    };
    const service = createSingleService<WarehouseBatch>(owner, options, {
      rows,
      // Columns that are no names have been found, and are in no input.
      check: ({ only }) =>
        typeof only === "string" || columnsKind(options.columns, "/columns").length > 0
          ? []
          : planOf(only).problems,
    });
    this.service = service;
    this.#options = options;
    this.#protocol = protocol;
    this.#planOf = planOf;
    this.#owner = owner;
  }

  /**
   * Responds to a request.
   *
   * @returns the body of the reply; `undefined` if the client has disconnected
   * @throws BatchRefusal for what is not a request of the engine, and for a reply that would be too large
   * @throws DecernError `RECORD_UNAVAILABLE` where rows cannot be recorded, `DECISIONS_NOT_LOADED` where there is no decision yet, and
   *   for callbacks that failed
   */
  async answer(
    { body, isSuspicious, headers, origin }: ReceivedBatch,
    lists: Lists,
    places: ReturnType<Lists["placesOf"]>,
  ): Promise<string | undefined> {
    const protocol = this.#protocol;
    // All rows of a request are evaluated with one generation.
    const target = this.service.only;
    if (typeof target === "string") throw new DecernError(target, { detail: this.#owner });
    const plan = this.#planOf(target);
    const { rows, ...sent } = protocol.read(body, headers, plan.names);
    const batch = { engine: protocol.engine, ...sent, request: origin.request };
    const caller = this.#callerOf(batch, origin);
    const choice = await this.#choose(target, batch);
    const shared = { target, plan, choice, origin: { ...origin, caller }, isSuspicious };
    const nextId = rowRequestIds(sent.id);
    const unrecorded: DecernError[] = [];
    const answers: string[] = [];
    const evaluate = (row: Row): Awaitable<string> =>
      row === null ? "null" : this.#evaluate(row, shared, nextId(), unrecorded);
    const take = (answer: string): boolean => answers.push(answer) > 0;
    for await (const _ of lists.slices(rows, places, evaluate, take)) {
      // A query without these records is one that a retry improves.
      if (unrecorded[0] !== undefined) throw unrecorded[0];
    }
    return answers.length === rows.length ? protocol.reply(rows, answers) : undefined;
  }

  #evaluate(
    row: readonly unknown[],
    shared: SharedCall,
    requestId: string,
    unrecorded: DecernError[],
  ): Awaitable<string> {
    const answerOf = ({ text = "", error }: Run): string => {
      if (error?.code === "RECORD_UNAVAILABLE") unrecorded.push(error);
      return this.#write(error === undefined ? text : faultText(error));
    };
    const run = this.#run(row, shared, requestId);
    return isThenable(run) ? run.then(answerOf) : answerOf(run);
  }

  #run(
    row: readonly unknown[],
    { target, plan, choice, origin, isSuspicious }: SharedCall,
    requestId: string,
  ): Awaitable<Run> {
    let input: unknown;
    try {
      input = plan.toInput(row, this.#protocol.offset, isSuspicious);
    } catch (thrown) {
      return this.service.fail({ target, origin, requestId }, undefined, thrown);
    }
    return this.service.runner.run(origin, choice, input, requestId, compact);
  }

  #write(text: string): string {
    const { emit = this.#protocol.emit } = this.#options;
    return emit === "json" ? text : JSON.stringify(text);
  }

  async #choose({ served: { choice } }: Target, batch: WarehouseBatch): Promise<Run["choice"]> {
    const { profileResolver } = this.#options;
    if (profileResolver === undefined) return choice;
    const profile = await withDeadline("profileResolver", this.service.runner.hookTimeoutMs, () =>
      profileResolver(batch),
    );
    try {
      return { ...choice, decision: withProfile(choice.decision, profile), profileFrom: "host" };
    } catch (cause) {
      // Asking again would bring the same profile.
      throw new DecernError("INVALID_HOST_PROFILE", { statusCode: 422, cause });
    }
  }

  #callerOf(batch: WarehouseBatch, origin: Origin): string | undefined {
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
