import pg from "pg";
import { postgres } from "../../dist/log.js";

// Writes the records that it is sent, one batch for each, to a chain of its own.

const logger = { error: console.error, warn: console.error, info() {} };

process.once("message", async ({ connection, records }) => {
  const pool = new pg.Pool(connection);
  const writer = await postgres({ pool }).open({ logger });
  for (const record of records) await writer.write({ records: [record], kept: new Map() });
  await writer.close();
  await pool.end();
  process.disconnect();
});
