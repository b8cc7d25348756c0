// The demo's decisions behind a server that prints, when it ends, which requests it has evaluated.
import { createServer } from "@decern/server";
import { defaultDecisions, profiles } from "../../dist/decisions/index.js";
import { stopOnSignals } from "../../dist/stop-on-signals.js";

const evaluated = [];
const server = createServer({
  decisions: defaultDecisions,
  profiles,
  // No time-out ends what must end by itself.
  closeTimeoutMs: 600_000,
  requestTimeoutMs: 600_000,
  observers: [{ onEvaluated: ({ context }) => evaluated.push(context.requestId) }],
});
process.on("exit", () => process.stdout.write(`evaluated ${evaluated.join(" ")}\n`));
stopOnSignals(() => server.close());
await server.listen(0, { host: "127.0.0.1" });
