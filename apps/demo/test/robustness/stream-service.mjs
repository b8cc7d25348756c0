// The demo's decisions behind a server with its own limits.
import { createServer } from "@decern/server";
import { defaultDecisions, profiles } from "../../dist/decisions/index.js";
import { stopOnSignals } from "../../dist/stop-on-signals.js";

const server = createServer({ decisions: defaultDecisions, profiles });
stopOnSignals(() => server.close());
await server.listen(0, { host: "127.0.0.1" });
