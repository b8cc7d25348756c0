import { once } from "node:events";
import { parseArgs } from "node:util";
import { metrics } from "@decern/metrics";
import { createExpressHost } from "./express.js";
import { createFastifyHost } from "./fastify.js";
import { stopOnSignals } from "./stop-on-signals.js";

const { values } = parseArgs({
  options: {
    "express-port": { type: "string", default: "3001" },
    "fastify-port": { type: "string", default: "3002" },
    "roll-out": { type: "string", default: "10" },
  },
});

// Both hosts share one collector, and each serves its page.
const watch = metrics({ enabled: true });
const rollOutPercent = Number(values["roll-out"]);
const fastifyHost = createFastifyHost(watch, rollOutPercent);
const expressHost = createExpressHost(watch, rollOutPercent).listen(
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
});
