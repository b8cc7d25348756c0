import { decisionPlugin } from "@decern/adapter-fastify";
import Fastify from "fastify";
import { decisions, profiles } from "./decisions.js";
import { host, log, port } from "./settings.js";

// Idle connections delay the end by so much.
const app = Fastify({ logger: true, keepAliveTimeout: 5000 });
app.get("/health/ready", () => ({ status: "ok" }));
await app.register(decisionPlugin, { decisions, profiles, log, prefix: "decisions" });

async function stop(): Promise<void> {
  await app.close();
  await log?.close();
}
process.once("SIGINT", stop);
process.once("SIGTERM", stop);

await app.listen({ port, host });
