import http from "node:http";
import { defineDecision } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { openTelemetry } from "@decern/otel";
import { createServer } from "@decern/server";
import { z } from "zod";
import { shutdown } from "./telemetry.mjs";

const score = defineDecision({
  id: "score",
  version: "1.0.0",
  inputSchema: z.object({ income: z.number() }),
  outputSchema: z.object({ points: z.number() }),
  profileSchema: z.object({}),
  rules: [{ id: "counted", when: () => true, emit: ({ income }) => ({ points: income }) }],
});

const loan = defineDecision({
  id: "loan",
  version: "2.1.0",
  inputSchema: z.object({ income: z.number(), name: z.string() }),
  outputSchema: z.object({ approved: z.boolean() }),
  profileSchema: z.object({}),
  uses: [score],
  rules: [
    {
      id: "rich",
      when: ({ income, name }, _profile, context) => {
        if (income < 0) throw new Error(`${name} has an income of ${income}`);
        return context.evaluate(score, { income }).data.points > 100;
      },
      emit: () => ({ approved: true }),
    },
  ],
});

/** A call of another service, over HTTP. */
function creditBureau() {
  return new Promise((resolve, reject) => {
    http
      .get(`${process.env["OTEL_EXPORTER_OTLP_ENDPOINT"]}/bureau`, (response) => {
        response.resume().once("end", resolve);
      })
      .once("error", reject);
  });
}

const log = decisionLog({ store: ndjsonFiles(process.env["RECORDS"]) });
const server = createServer({
  decisions: [loan],
  hooks: { beforeEvaluate: creditBureau },
  observers: [openTelemetry()],
  log,
});
await server.listen(0, { host: "127.0.0.1" });
process.once("SIGTERM", async () => {
  await server.close();
  await log.close();
  await shutdown();
});
