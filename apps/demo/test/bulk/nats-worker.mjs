// A worker on a NATS server. Its argument is JSON: `address`, options of the source, and what the test has it do wrong.
import { runWorker } from "@decern/bulk";
import { natsSource } from "@decern/nats";
import { connect } from "@nats-io/transport-node";
import { loanApproval } from "../../dist/decisions/index.js";

const {
  address,
  hasIds = true,
  diesAfter = 0,
  closes = false,
  poison,
  maxItems,
  ...options
} = JSON.parse(process.argv[2]);
const connection = await connect({ servers: address, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
const request = connection.request.bind(connection);
let stored = 0;
connection.request = async (subject, data, about) => {
  // What the source publishes, without what makes it a duplicate the second time.
  if (!hasIds && subject === options.results) about.headers.delete("Nats-Msg-Id");
  const reply = await request(subject, data, about);
  // The results are stored, and nothing is acknowledged.
  if (subject === options.results) stored += 1;
  if (stored > 0 && stored === diesAfter) process.kill(process.pid, "SIGKILL");
  return reply;
};

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const source = natsSource({ ...options, connection });
await source.open();
if (closes) await connection.close();
process.stdout.write("ready\n");
const deadly = {
  take: async (max, signal) => {
    const batch = await source.take(max, signal);
    if (batch.items.some(({ position }) => position.startsWith(`${poison}:`))) {
      process.kill(process.pid, "SIGKILL");
    }
    return batch;
  },
};
await runWorker({
  decision: loanApproval,
  source: poison === undefined ? source : deadly,
  maxItems,
  lanes: 2,
  logger: { error: () => {} },
  observer: { onFailure: () => process.stdout.write("failed\n") },
  signal: stop.signal,
});
await connection.close();
