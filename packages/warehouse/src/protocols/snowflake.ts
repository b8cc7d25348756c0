import { BatchRefusal, messageOf } from "../batch/batch-refusal.js";
import { checkedRow, listIn, membersOf } from "./members.js";
import type { Headers, Protocol } from "./protocol.js";

/**
 * External functions of Snowflake. All answers are synchronous, so that nothing is kept from one request to the next.
 *
 * @see https://docs.snowflake.com/en/sql-reference/external-functions-data-format
 */
export const snowflake = {
  engine: "snowflake",
  offset: 1,
  emit: "json",
  read(body, headers, columns) {
    const rows = listIn(membersOf(body), "data").map((value, index) => {
      const row = checkedRow(value, index, 1, columns);
      // Snowflake matches answers by it.
      if (!Number.isSafeInteger(row[0]))
        throw new BatchRefusal("BAD_REQUEST", `row ${index} does not begin with its number`);
      return row;
    });
    return {
      id: headerIn(headers, "sf-external-function-query-batch-id"),
      user: headerIn(headers, "sf-context-current-user"),
      context: {},
      rows,
    };
  },
  reply: (rows, answers) =>
    `{"data":[${answers.map((answer, index) => `[${String(rows[index]?.[0])},${answer}]`).join()}]}`,
  refusal: (reply) => JSON.stringify({ error: messageOf(reply), code: reply.code }),
} as const satisfies Protocol;

function headerIn(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
