import type { Protocol } from "./protocol.js";
import {
  BatchRefusal,
  checkedRow,
  checkReplySize,
  listIn,
  membersOf,
  messageOf,
  textIn,
} from "./protocol.js";

/** What Redshift takes in a batch. Lambda's own limit is a little larger. */
const limit = { bytes: 5_000_000, name: "5 MB", setting: "MAX_BATCH_ROWS" } as const;

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
    checkReplySize(Buffer.byteLength(JSON.stringify(text)), rows.length, limit);
    return text;
  },
  refusal: (reply) => JSON.stringify({ success: false, error_msg: messageOf(reply) }),
} as const satisfies Protocol;
