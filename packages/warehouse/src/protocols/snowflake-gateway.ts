import type { Protocol } from "./protocol.js";
import { checkReplySize } from "./reply-size.js";
import { snowflake } from "./snowflake.js";

/** What Lambda replies at most. API Gateway's own limit is larger. */
const limit = { bytes: 6_000_000, name: "Lambda's 6 MB", setting: "MAX_BATCH_ROWS" } as const;

/** External functions of Snowflake that a Lambda function answers. */
export const snowflakeGateway = {
  ...snowflake,
  reply(rows, answers) {
    const text = snowflake.reply(rows, answers);
    // Lambda sends the text as a JSON string.
    checkReplySize(Buffer.byteLength(JSON.stringify(text)), rows.length, limit);
    return text;
  },
} as const satisfies Protocol;
