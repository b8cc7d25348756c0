// The demo's decisions behind a server with all pages, whose clients must make progress within half a second.
import { openapi } from "@decern/openapi";
import { createServer } from "@decern/server";
import { defaultDecisions, profiles } from "../../dist/decisions/index.js";

const server = createServer({
  decisions: defaultDecisions,
  profiles,
  openapi: openapi({ enabled: true }),
  writeTimeoutMs: 500,
  logger: false,
});
await server.listen(0, { host: "127.0.0.1" });
