import { defineDecision, withProfile, watchProfiles, type Decision, type ProfileSource, type ProfilesOf, type ProfileResolver } from "@decern/core";
import { z } from "zod";
import { createServer, type ServerOptions } from "../src/index.js";
const loan = defineDecision({
  id: "loan", version: "1",
  inputSchema: z.object({ a: z.number(), applicant: z.object({ age: z.number(), income: z.number(), name: z.string() }) }),
  outputSchema: z.object({ b: z.string() }),
  profileSchema: z.object({ limit: z.number(), name: z.string() }),
  rules: [{ id: "r", when: () => true, emit: () => ({ b: "" }) }],
});
const free = defineDecision({
  id: "free", version: "1",
  inputSchema: z.object({ a: z.number() }),
  outputSchema: z.object({ b: z.string() }),
  profileSchema: z.object({}),
  rules: [{ id: "r", when: () => true, emit: () => ({ b: "" }) }],
});
const uses = defineDecision({
  id: "uses", version: "1", uses: [loan],
  inputSchema: z.object({ a: z.number() }),
  outputSchema: z.object({ b: z.string() }),
  profileSchema: z.object({}),
  rules: [{ id: "r", when: () => true, emit: () => ({ b: "" }) }],
});
// OK
createServer({ decisions: [free] });
createServer({ decisions: [free, loan], profiles: { loan: { limit: 1, name: "" } } });
createServer({ decisions: [free, loan], profiles: { "loan@1": { limit: 1, name: "" }, "loan#strict": { limit: 1, name: "" } } });
createServer({ decisions: [free, loan], profiles: watchProfiles({ file: "profiles.json" }) });
createServer({ decisions: [free, loan], profileResolver: ({ caller, named }) => named(caller ?? "") });
createServer({ decisions: [free, withProfile(loan, { limit: 1, name: "" })] });
createServer({ decisions: [free, loan], profileOverride: "replace" });
const list: readonly Decision[] = [free, loan];
createServer({ decisions: list });
createServer({ decisions: list, profiles: { x: { limit: 1 } } });
const two = [free, loan] as const;
export function host(options: Partial<ServerOptions<typeof two>>, resolver: ProfileResolver | undefined, source?: ProfilesOf<typeof two> | ProfileSource) {
  createServer({ decisions: two, ...options });
  createServer({ decisions: two, profileResolver: resolver });
  createServer({ decisions: two, profiles: source });
}
export const any = (map: Record<string, { limit: number; name: string }>) => createServer({ decisions: two, profiles: map });
// ERRORS
console.log("ERR");
createServer({ decisions: [loan] });
createServer({ decisions: [free, loan, uses] });
createServer({ decisions: two });
createServer({ decisions: two, profiles: undefined, profileResolver: undefined });
createServer({ decisions: two, profileOverride: false });
createServer({ decisions: [loan], profiles: { "loan#strict": { limit: 1, name: "" } } });
createServer({ decisions: [uses] });
createServer({ decisions: [free, loan], profiles: { loan: { limit: "1", name: "" } } });
createServer({ decisions: [free, loan], profiles: { loan: { limt: 1, name: "" } } });
createServer({ decisions: [free, loan], profiles: { loan: { limit: 1 } } });
createServer({ decisions: [free, loan], profiles: { loan: { limit: 1, name: "" }, lone: { limit: 1, name: "" } } });
createServer({ decisions: [free, loan], profiles: { loan: { limit: 1, name: "" } }, prot: 1 });
createServer({ decisions: [free, loan], profiles: { loan: { limit: 1, name: "" } }, profileResolver: (x) => x.cller });
