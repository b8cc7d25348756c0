// One process of a fleet. Its argument is JSON: `file`, `url`, or `module`, which exports `liveProfiles`; with `tables`, the place
// has tables together with their profiles.
import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { createServer } from "@decern/server";
import { watchDecisions, watchProfiles } from "@decern/watch";
import { Type } from "typebox";
import { shippingFee as contract } from "./cut-over-contract.mjs";

const { module, tables, ...place } = JSON.parse(process.argv[2]);
const schemas = {
  inputSchema: typebox(Type.Object({})),
  profileSchema: typebox(Type.Object({ set: Type.Integer() })),
};
const used = defineDecision({
  id: "used",
  version: "1",
  ...schemas,
  outputSchema: typebox(Type.Object({ set: Type.Integer() })),
  rules: [{ id: "only", when: () => true, emit: (_input, { set }) => ({ set }) }],
});
/** Its answer names the set of each profile that took part. */
const main = defineDecision({
  id: "main",
  version: "1",
  ...schemas,
  outputSchema: typebox(Type.Object({ sets: Type.Array(Type.Integer()) })),
  uses: [used],
  rules: [
    {
      id: "only",
      when: () => true,
      emit: (_input, { set }, context) => ({ sets: [set, context.evaluate(used, {}).data.set] }),
    },
  ],
});

const live = module === undefined ? undefined : await import(module);
const watched = () =>
  tables
    ? { decisions: live?.decisions ?? watchDecisions({ ...place, contracts: [contract], everyMs: 100 }) }
    : { decisions: [main], profiles: live?.liveProfiles ?? watchProfiles({ ...place, everyMs: 100 }) };
const server = createServer({
  ...watched(),
  // The evaluation comes later than the choice of the profile.
  hooks: { beforeEvaluate: () => new Promise((resolve) => setImmediate(resolve)) },
  observers: [
    {
      onEvaluated() {},
      onProfilesLoaded: tell,
      onDecisionsLoaded: tell,
    },
  ],
});
const url = await server.handler.listen({ port: 0, host: "127.0.0.1" });
process.send({ url });
process.on("message", () => server.close().then(() => process.exit(0)));
process.on("disconnect", () => process.exit(1));

function tell({ outcome, revision, error }) {
  process.send?.({ outcome, revision, error: error && String(error) });
}
