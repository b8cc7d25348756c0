// Serves the set in the first file, replaces it by the one in the second, and says how calls went while that was checked.
import { renameSync } from "node:fs";
import { createServer } from "@decern/server";
import { tableContract } from "@decern/table";
import { watchDecisions } from "@decern/watch";
import { z } from "zod";

const [file, next] = process.argv.slice(2);

const marked = tableContract({
  id: "marked",
  inputSchema: z.object({ weight: z.number() }),
  outputSchema: z.object({ row: z.number(), profile: z.number() }),
  profileSchema: z.object({ mark: z.number() }),
});

let isChecking = false;
const contract = {
  ...marked,
  async check(made, signal) {
    isChecking = true;
    const problems = await marked.check(made, signal);
    isChecking = false;
    return problems;
  },
};

let load = () => {};
let outcome;
const decisions = watchDecisions({
  file,
  contracts: [contract],
  wake: (wake) => {
    load = wake;
    return undefined;
  },
});
const server = createServer({
  decisions,
  profileOverride: false,
  logger: false,
  observers: [
    {
      onEvaluated() {},
      onDecisionsLoaded(told) {
        if (told.revision !== "r1") outcome = told.outcome;
      },
    },
  ],
});

async function version() {
  const payload = { input: { weight: 0.5 } };
  const reply = await server.handler.inject({ method: "POST", url: "/decisions/marked", payload });
  return reply.json().meta.decisionVersion;
}

renameSync(next, file);
load();
const meanwhile = new Set();
while (outcome === undefined) {
  const own = await version();
  if (isChecking) meanwhile.add(own);
  await new Promise(setImmediate);
}
console.log(JSON.stringify({ outcome, meanwhile: [...meanwhile], after: await version() }));
await server.close();
