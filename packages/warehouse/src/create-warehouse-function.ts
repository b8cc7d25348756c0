import type { ErrorReply } from "@decern/core";
import { Lists, parseJsonText } from "@decern/core/host";
import { BatchEvaluator } from "./batch-evaluator.js";
import { failureReader, gatewayRequest } from "./http/read-body.js";
import type { EmitOption, WarehouseOptions } from "./options.js";
import { functionRows } from "./options.js";
import type { Headers } from "./protocols/protocol.js";
import { redshift, snowflakeGateway } from "./protocols/warehouses.js";

/** Options of a Lambda UDF of Redshift. A row's result is JSON text. */
export interface RedshiftFunctionOptions<Input, Output, Profile>
  extends WarehouseOptions<Input, Output, Profile> {
  readonly engine: "redshift";
}

/** Options of an external function of Snowflake behind Amazon API Gateway. */
export interface SnowflakeFunctionOptions<Input, Output, Profile>
  extends WarehouseOptions<Input, Output, Profile>,
    EmitOption {
  readonly engine: "snowflake";
}

/** What API Gateway turns into a reply, with Lambda proxy integration. */
export interface GatewayReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/**
 * Makes an AWS Lambda function: a scalar UDF of Redshift, or an external function of Snowflake behind API Gateway. Who may
 * call it is for IAM to say.
 *
 * @returns a handler that never throws
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * export const handler = createWarehouseFunction({
 *   engine: "redshift", decision: loanApproval, columns: ["amount", "score"],
 * });
 * ```
 */
export function createWarehouseFunction<Input, Output, Profile>(
  options: RedshiftFunctionOptions<Input, Output, Profile>,
): (event: unknown) => Promise<string>;
export function createWarehouseFunction<Input, Output, Profile>(
  options: SnowflakeFunctionOptions<Input, Output, Profile>,
): (event: unknown) => Promise<GatewayReply>;
export function createWarehouseFunction<Input, Output, Profile>(
  options: RedshiftFunctionOptions<Input, Output, Profile> | SnowflakeFunctionOptions<Input, Output, Profile>,
): (event: unknown) => Promise<string | GatewayReply> {
  const isSnowflake = options?.engine === "snowflake";
  const protocol = isSnowflake ? snowflakeGateway : redshift;
  const rows = isSnowflake ? functionRows.snowflake : functionRows.redshift;
  const batches = new BatchEvaluator("createWarehouseFunction", options, rows, protocol);
  const lists = new Lists(batches.service.runner);
  const failureOf = failureReader(batches.service.logger);
  /** Lambda sends an instance one event at a time, so overload protection is not needed. */
  const answer = async (sent: {
    readonly text?: string | Uint8Array;
    readonly body?: unknown;
    readonly headers: Headers;
  }) => {
    const { headers } = sent;
    const { value: body, isSuspicious } =
      sent.text === undefined ? { value: sent.body, isSuspicious: true } : parseJsonText(sent.text);
    const places = lists.placesOf({}, () => false);
    const reply = await batches.answer(
      { body, isSuspicious, headers, origin: { caller: undefined, request: undefined } },
      lists,
      places,
    );
    return reply ?? "";
  };
  if (!isSnowflake) {
    return async (event) => {
      try {
        return await answer({ body: event, headers: {} });
      } catch (thrown) {
        return protocol.refusal(failureOf(thrown));
      }
    };
  }
  const write = (statusCode: number, body: string): GatewayReply => ({
    statusCode,
    headers: { "cache-control": "no-store", "content-type": "application/json; charset=utf-8" },
    body,
  });
  return async (event) => {
    try {
      return write(200, await answer(gatewayRequest(event)));
    } catch (thrown) {
      const failure: ErrorReply = failureOf(thrown);
      return write(failure.status, protocol.refusal(failure));
    }
  };
}
