// A server that keeps records in PostgreSQL. Its argument is JSON: `connection`, and options of the decision log.
import { defineDecision } from "@decern/core";
import { decisionLog } from "@decern/decision-log";
import { postgres } from "@decern/postgres/log";
import { typebox } from "@decern/schema";
import { createServer } from "@decern/server";
import pg from "pg";
import { Type } from "typebox";

const { connection, ...options } = JSON.parse(process.argv[2]);
const decision = defineDecision({
  id: "double",
  version: "1.0.0",
  inputSchema: typebox(Type.Object({ amount: Type.Integer() })),
  outputSchema: typebox(Type.Object({ amount: Type.Integer() })),
  profileSchema: typebox(Type.Object({ factor: Type.Integer() })),
  rules: [
    {
      id: "only",
      when: () => true,
      emit: (input, profile) => ({ amount: input.amount * profile.factor }),
    },
  ],
});

const counts = { written: 0, lost: 0, refused: 0 };
const logged = [];
const tell = (level) => (details, message) => logged.push(`${level} ${message} ${JSON.stringify(details)}`);
const pool = new pg.Pool(connection);
const log = decisionLog({ store: postgres({ pool }), ...options });
const server = createServer({
  decisions: [decision],
  profiles: { double: { factor: 2 } },
  log,
  logger: { error: tell("error"), warn: tell("warn"), info: tell("info") },
  observers: [
    {
      onEvaluated() {},
      onRecorded: ({ outcome, count }) => {
        counts[outcome] += count;
      },
    },
  ],
});
await server.listen(0, { host: "127.0.0.1" });
process.send({ port: server.handler.server.address().port });

process.on("message", async (message) => {
  if (message === "flush") await log.flush();
  if (message === "end") {
    await server.close();
    await log.close();
    await pool.end();
    process.disconnect();
    return;
  }
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ counts, logged, bytesInUse: heapUsed + external });
});
