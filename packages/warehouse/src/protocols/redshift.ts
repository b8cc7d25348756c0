import { BatchRefusal, messageOf } from "../batch/batch-refusal.js";
import { checkedRow, listIn, membersOf, textIn } from "./members.js";
import type { Protocol } from "./protocol.js";

/** The most bytes of a reply: what Redshift takes in a batch. Lambda's own limit is a little larger. */
const maxReply = 5_000_000;

/**
 * Scalar Lambda UDFs of Redshift.
 *
 * @see https://docs.aws.amazon.com/redshift/latest/dg/udf-creating-a-lambda-sql-udf.html#udf-lambda-json
 */
export const redshift = {
  engine: "redshift",
  offset: 0,
  emit: "text",
  read(body, _headers, columns) {
    const members = membersOf(body);
    const { arguments: _rows, num_records: count, request_id: _id, user: _user, ...context } = members;
    const rows = listIn(members, "arguments");
    if (count !== undefined && count !== rows.length) {
      throw new BatchRefusal(
        "BAD_REQUEST",
        `num_records is ${String(count)}, and there are ${rows.length} records`,
      );
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
    const size = Buffer.byteLength(JSON.stringify(text));
    if (size <= maxReply) return text;
    const most = Math.max(1, Math.floor((rows.length * maxReply * 0.9) / size));
    throw new BatchRefusal(
      "BATCH_TOO_LARGE",
      `the reply would have ${size} bytes, more than 5 MB. Create the function with MAX_BATCH_ROWS ${most}`,
    );
  },
  refusal: (reply) => JSON.stringify({ success: false, error_msg: messageOf(reply) }),
} as const satisfies Protocol;
