import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { metrics } from "@decern/metrics";
import { createServer } from "@decern/server";
import { loanDecision, variedLoanDecision } from "../../workload/decisions.js";
import { theProfile } from "../../workload/loan-approval.js";
import { portOf } from "../port-of.js";

/** What differs from one server to the next. */
interface Variant {
  readonly hasMetrics?: boolean;
  /** With a decision log whose files are in `BENCH_FOLDER`. */
  readonly durable?: "batch" | "reply";
  /** Whether no answer is like the one before. */
  readonly isVaried?: boolean;
}

/** The standalone server as it ships: CORS, request ids, error handling, pages. */
export async function listen({
  hasMetrics = false,
  durable,
  isVaried = false,
}: Variant = {}): Promise<number> {
  const server = createServer({
    decisions: [isVaried ? variedLoanDecision() : loanDecision()],
    profiles: { "loan-approval": theProfile },
    metrics: metrics({ enabled: hasMetrics }),
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
