import { isJsonObject } from "@decern/core/schema";
import {
  BatchRefusal,
  checkedRow,
  checkReplySize,
  type Headers,
  listIn,
  membersOf,
  messageOf,
  type Protocol,
  textIn,
} from "./protocol.js";

/** @see https://docs.snowflake.com/en/sql-reference/external-functions-introduction#execution-time-limitations-and-issues */
const snowflakeLimit = { bytes: 10_000_000, name: "10 MB", setting: "MAX_BATCH_ROWS" } as const;

/**
 * External functions of Snowflake. All responses are synchronous, so that nothing is kept from one request to the next.
 *
 * @see https://docs.snowflake.com/en/sql-reference/external-functions-data-format
 */
export const snowflake = {
  engine: "snowflake",
  offset: 1,
  emit: "json",
  roundsIntegers: true,
  read(body, headers, columns) {
    const numbers = new Set<unknown>();
    const rows = listIn(membersOf(body), "data").map((value, index) => {
      const row = checkedRow(value, index, 1, columns);
      // Snowflake matches results by it.
      const [number] = row;
      if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0)
        throw new BatchRefusal("BAD_REQUEST", `row ${index} does not begin with its number`);
      if (numbers.has(number))
        throw new BatchRefusal("BAD_REQUEST", `row ${index} has the number of an earlier row, ${number}`);
      numbers.add(number);
      return row;
    });
    return {
      id: headerIn(headers, "sf-external-function-query-batch-id"),
      user: userIn(headers),
      context: {},
      rows,
    };
  },
  reply(rows, answers) {
    const text = `{"data":[${answers.map((answer, index) => `[${String(rows[index]?.[0])},${answer}]`).join()}]}`;
    checkReplySize(Buffer.byteLength(text), rows.length, snowflakeLimit);
    return text;
  },
  refusal: (reply) => JSON.stringify({ error: messageOf(reply), code: reply.code }),
} as const satisfies Protocol;

/**
 * In the plain header, Snowflake replaces what a header may not have, so two users may look the same. The other one has the
 * name as it is.
 *
 * @see https://docs.snowflake.com/en/sql-reference/sql/create-external-function#optional-parameters
 */
function userIn(headers: Headers): string | undefined {
  const encoded = headerIn(headers, "sf-context-current-user-base64");
  if (encoded === undefined) return headerIn(headers, "sf-context-current-user");
  const name = Buffer.from(encoded, "base64").toString("utf8");
  return name === "" ? undefined : name;
}

function headerIn(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What Lambda replies at most. API Gateway's own limit is larger. */
const gatewayLimit = { bytes: 6_000_000, name: "Lambda's 6 MB", setting: "MAX_BATCH_ROWS" } as const;

/** External functions of Snowflake that a Lambda function evaluates. */
export const snowflakeGateway = {
  ...snowflake,
  reply(rows, answers) {
    const text = snowflake.reply(rows, answers);
    // Lambda sends the text as a JSON string.
    checkReplySize(Buffer.byteLength(JSON.stringify(text)), rows.length, gatewayLimit);
    return text;
  },
} as const satisfies Protocol;

/** What Redshift takes in a batch. Lambda's own limit is a little larger. */
const redshiftLimit = { bytes: 5_000_000, name: "5 MB", setting: "MAX_BATCH_ROWS" } as const;

/**
 * Scalar Lambda UDFs of Redshift.
 *
 * @see https://docs.aws.amazon.com/redshift/latest/dg/udf-creating-a-lambda-sql-udf.html#udf-lambda-json
 */
export const redshift = {
  engine: "redshift",
  offset: 0,
  emit: "text",
  roundsIntegers: true,
  read(body, _headers, columns) {
    const members = membersOf(body);
    const { arguments: _rows, num_records: count, request_id: _id, user: _user, ...context } = members;
    const rows = listIn(members, "arguments");
    if (count !== undefined && count !== rows.length) {
      const said = typeof count === "number" ? `is ${count}` : "is not a number";
      throw new BatchRefusal("BAD_REQUEST", `num_records ${said}, and there are ${rows.length} records`);
    }
    return {
      id: textIn(members, "request_id"),
      user: textIn(members, "user"),
      context,
      rows: rows.map((value, index) => {
        if (value === null) return null;
        // "An array if the number of arguments is larger than 1."
        const row = columns.length === 1 && !Array.isArray(value) ? [value] : value;
        return checkedRow(row, index, 0, columns);
      }),
    };
  },
  reply(rows, answers) {
    const text = `{"success":true,"num_records":${rows.length},"results":[${answers.join()}]}`;
    // Lambda sends the text as a JSON string.
    checkReplySize(Buffer.byteLength(JSON.stringify(text)), rows.length, redshiftLimit);
    return text;
  },
  refusal: (reply) => JSON.stringify({ success: false, error_msg: messageOf(reply) }),
} as const satisfies Protocol;

/** What Cloud Run replies at most. It makes a 500 of more, and BigQuery asks again. */
const bigqueryLimit = {
  bytes: 32 * 1024 * 1024,
  name: "Cloud Run's 32 MiB",
  setting: "max_batching_rows",
} as const;

/**
 * Remote functions of BigQuery.
 *
 * @see https://cloud.google.com/bigquery/docs/remote-functions#input_format
 */
export const bigquery = {
  engine: "bigquery",
  offset: 0,
  emit: "text",
  // "Large integers arrive as strings": what arrives as a number is one.
  roundsIntegers: false,
  read(body, _headers, columns) {
    const members = membersOf(body);
    const { userDefinedContext: context } = members;
    return {
      id: textIn(members, "requestId"),
      user: textIn(members, "sessionUser"),
      context: isJsonObject(context) ? context : {},
      rows: listIn(members, "calls").map((row, index) => checkedRow(row, index, 0, columns)),
    };
  },
  reply(rows, answers) {
    const text = `{"replies":[${answers.join()}]}`;
    checkReplySize(Buffer.byteLength(text), rows.length, bigqueryLimit);
    return text;
  },
  refusal: (reply) => JSON.stringify({ errorMessage: messageOf(reply) }),
} as const satisfies Protocol;
