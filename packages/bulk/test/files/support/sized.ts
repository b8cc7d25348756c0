import { defineDecision } from "@decern/core";
import { z } from "zod";

/** Cursed for 13; no rule above the profile's `most`. It calls `tell` for each input. */
export const telling = (tell: () => void, version = "1") =>
  defineDecision({
    id: "sized",
    version,
    inputSchema: z.object({ n: z.number(), name: z.string().optional() }),
    outputSchema: z.object({ n: z.number(), lot: z.string(), year: z.number() }),
    profileSchema: z.object({ most: z.number().default(10) }),
    rules: [
      {
        id: "cursed",
        when: ({ n }) => {
          tell();
          return n === 13;
        },
        emit: () => {
          throw new Error("unlucky");
        },
      },
      {
        id: "small",
        when: ({ n }, { most }) => n <= most,
        emit: ({ n }, _, { requestId, now }) => ({ n, lot: requestId, year: now.getUTCFullYear() }),
      },
    ],
  });

export const sized = telling(() => {});

export const now = new Date(Date.UTC(2026, 2, 1));
