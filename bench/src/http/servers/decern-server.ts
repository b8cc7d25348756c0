import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { metrics } from "@decern/metrics";
import { createServer } from "@decern/server";
import { loanDecision } from "../../workload/decisions.js";
import { theProfile } from "../../workload/loan-approval.js";
import { portOf } from "../port-of.js";

/**
 * The standalone server as it ships: CORS, request ids, error handling, pages.
 *
 * @param durable - with a decision log whose files are in `BENCH_FOLDER`
 */
export async function listen(withMetrics: boolean, durable?: "batch" | "reply"): Promise<number> {
  const server = createServer({
    decisions: [loanDecision()],
    profiles: { "loan-approval": theProfile },
    metrics: metrics({ enabled: withMetrics }),
    log: durable === undefined ? undefined : decisionLog({ store: ndjsonFiles(folderOf(durable)), durable }),
  });
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  return portOf(server.handler.server.address());
}

function folderOf(name: string): string {
  const folder = process.env["BENCH_FOLDER"];
  if (folder === undefined) throw new RangeError("BENCH_FOLDER says where the records go");
  return join(folder, name);
}
