import { once } from "node:events";
import { parseArgs } from "node:util";
import { metrics } from "@decern/metrics";
import { decisionRecords } from "./decision-records.js";
import { createExpressHost } from "./express.js";
import { createFastifyHost } from "./fastify.js";
import { stopOnSignals } from "./stop-on-signals.js";

const { values } = parseArgs({
  options: {
    "express-port": { type: "string", default: "3001" },
    "fastify-port": { type: "string", default: "3002" },
    "roll-out": { type: "string", default: "10" },
    records: { type: "string" },
  },
});

// Both hosts share one collector, which each of them serves, and one log.
const watch = metrics({ enabled: true });
const { records } = values;
const log = records === undefined ? undefined : decisionRecords(records, process.env["DECERN_SUBJECT_KEY"]);
const rollOutPercent = Number(values["roll-out"]);
const fastifyHost = createFastifyHost(watch, rollOutPercent, log);
const expressHost = createExpressHost(watch, rollOutPercent, log).listen(
  Number(values["express-port"]),
  "localhost",
);
await once(expressHost, "listening");
const address = expressHost.address();
console.log(`Express on http://localhost:${typeof address === "object" ? address?.port : address}`);
console.log(
  `Fastify on ${await fastifyHost.listen({ port: Number(values["fastify-port"]), host: "localhost" })}`,
);

stopOnSignals(async () => {
  expressHost.close();
  expressHost.closeIdleConnections();
  await Promise.all([fastifyHost.close(), once(expressHost, "close")]);
  await log?.close();
});
