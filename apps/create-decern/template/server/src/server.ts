import { createServer } from "@decern/server";
import { decisions, profiles } from "./decisions.js";
import { host, log, port } from "./settings.js";

// Callers can't send thresholds of their own.
const server = createServer({ decisions, profiles, log, profileOverride: false });

async function stop(): Promise<void> {
  await server.close();
  await log?.close();
}
process.once("SIGINT", stop);
process.once("SIGTERM", stop);

await server.listen(port, { host });
