import { decisionPlugin } from "@decern/adapter-fastify";
import fastify from "fastify";
import { loanDecision } from "../../workload/decisions.js";
import { theProfile } from "../../workload/loan-approval.js";
import { portOf } from "../port-of.js";

/** The Fastify plugin in an application that has nothing else. */
export async function listen(): Promise<number> {
  const app = fastify();
  await app.register(decisionPlugin, {
    decisions: [loanDecision()],
    profiles: { "loan-approval": theProfile },
    prefix: "/decisions",
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return portOf(app.server.address());
}
