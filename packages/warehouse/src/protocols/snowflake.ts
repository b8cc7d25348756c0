import {
  BatchRefusal,
  checkedRow,
  checkReplySize,
  type Headers,
  listIn,
  membersOf,
  messageOf,
  type Protocol,
} from "./protocol.js";

/** @see https://docs.snowflake.com/en/sql-reference/external-functions-introduction#execution-time-limitations-and-issues */
const limit = { bytes: 10_000_000, name: "10 MB", setting: "MAX_BATCH_ROWS" } as const;

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
    checkReplySize(Buffer.byteLength(text), rows.length, limit);
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
