// A module for the command whose decisions change: the tables of the folder that LIVE_TABLES names.
import { tableContract } from "@decern/table";
import { watchDecisions } from "@decern/watch";
import { z } from "zod";

const schemas = {
  inputSchema: z.object({ amount: z.number() }),
  outputSchema: z.object({ granted: z.boolean() }),
  profileSchema: z.object({ most: z.number() }),
};

export const decisions = watchDecisions({
  folder: process.env.LIVE_TABLES,
  contracts: ["loan", "credit"].map((id) => tableContract({ id, ...schemas })),
  everyMs: 100,
});

export const profiles = { loan: { most: 1000 }, credit: { most: 50 } };
