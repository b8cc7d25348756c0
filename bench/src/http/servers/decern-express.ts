import { createDecisionRouter } from "@decern/adapter-express";
import express from "express";
import { loanDecision } from "../../workload/decisions.js";
import { theProfile } from "../../workload/loan-approval.js";
import { portOf } from "../port-of.js";

/** The Express router in an application that has nothing else. */
export async function listen(): Promise<number> {
  const app = express();
  app.use(
    createDecisionRouter({
      decisions: [loanDecision()],
      profiles: { "loan-approval": theProfile },
      prefix: "decisions",
    }),
  );
  return new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => resolve(portOf(server.address())));
  });
}
