import { metrics } from "@decern/metrics";
import { createServer } from "@decern/server";
import { loanDecision } from "../../workload/decisions.js";
import { theProfile } from "../../workload/loan-approval.js";
import { portOf } from "../port-of.js";

/** The standalone server as it ships: CORS, request ids, error handling, pages. */
export async function listen(withMetrics: boolean): Promise<number> {
  const server = createServer({
    decisions: [loanDecision()],
    profiles: { "loan-approval": theProfile },
    metrics: metrics({ enabled: withMetrics }),
  });
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  return portOf(server.handler.server.address());
}
