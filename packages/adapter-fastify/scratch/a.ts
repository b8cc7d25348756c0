import { type Decision, defineDecision, watchProfiles, withProfile } from "@decern/core";
import fastify from "fastify";
import { z } from "zod";
import { decisionPlugin } from "../src/index.js";

const loan = defineDecision({
  id: "loan",
  version: "1",
  inputSchema: z.object({
    a: z.number(),
    applicant: z.object({ age: z.number(), income: z.number(), name: z.string() }),
  }),
  outputSchema: z.object({ b: z.string() }),
  profileSchema: z.object({ limit: z.number(), name: z.string() }),
  rules: [{ id: "r", when: () => true, emit: () => ({ b: "" }) }],
});
const app = fastify();
app.register(decisionPlugin, {
  decisions: [loan],
  profiles: { loan: { limit: 1, name: "" } },
  caller: (r) => r.headers.authorization,
  prefix: "x",
  logLevel: "info",
});
app.register(decisionPlugin, { decisions: [loan], profileResolver: ({ named }) => named("x") });
console.log("ERR");
app.register(decisionPlugin, { decisions: [loan] });
app.register(decisionPlugin, { decisions: [loan], profiles: { loan: { limt: 1, name: "" } } });
app.register(decisionPlugin, { decisions: [loan], profiles: { loan: { limit: "1", name: "" } } });
app.register(decisionPlugin, { decisions: [loan], profiles: { lone: { limit: "1", name: "" } } });
app.register(decisionPlugin, { decisions: [loan], prot: 1, profiles: { loan: { limit: 1, name: "" } } });
decisionPlugin(app, { decisions: [loan] });

import fp from "fastify-plugin";

app.register(fp(decisionPlugin), { decisions: [loan], profileResolver: ({ named }) => named("x") });
app.register(fp(decisionPlugin), { decisions: [loan] });
app.register(async (x) => {
  await x.register(decisionPlugin, { decisions: [withProfile(loan, { limit: 1, name: "" })] });
});
app.register(decisionPlugin, () => ({ decisions: [loan], profileResolver: ({ named }) => named("x") }));
app.register(decisionPlugin, { decisions: [loan] as readonly Decision[] });
