import { isJsonObject } from "@decern/core/schema";
import { messageOf } from "../batch/batch-refusal.js";
import { checkedRow, listIn, membersOf, textIn } from "./members.js";
import type { Protocol } from "./protocol.js";

/**
 * Remote functions of BigQuery.
 *
 * @see https://cloud.google.com/bigquery/docs/remote-functions#input_format
 */
export const bigquery = {
  engine: "bigquery",
  offset: 0,
  emit: "text",
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
  reply: (_rows, answers) => `{"replies":[${answers.join()}]}`,
  refusal: (reply) => JSON.stringify({ errorMessage: messageOf(reply) }),
} as const satisfies Protocol;
