import { isJsonObject } from "@decern/core/schema";
import type { Protocol } from "./protocol.js";
import { checkedRow, checkReplySize, listIn, membersOf, messageOf, textIn } from "./protocol.js";

/** What Cloud Run replies at most. It makes a 500 of more, and BigQuery asks again. */
const limit = { bytes: 32 * 1024 * 1024, name: "Cloud Run's 32 MiB", setting: "max_batching_rows" } as const;

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
    checkReplySize(Buffer.byteLength(text), rows.length, limit);
    return text;
  },
  refusal: (reply) => JSON.stringify({ errorMessage: messageOf(reply) }),
} as const satisfies Protocol;
