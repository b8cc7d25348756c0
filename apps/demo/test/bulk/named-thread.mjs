import { threadId, workerData } from "node:worker_threads";
import { serveBulkThread } from "@decern/bulk";
import { defineDecision } from "@decern/core";
import { z } from "zod";

// A decision that fails for odd numbers; `workerData.fault` makes threads that are of no use.
const { fault, started } = workerData ?? {};
if (started !== undefined) Atomics.add(started, 0, 1);
if (fault === "throws") throw new Error("no decision here");
if (fault === "ends") process.exit(3);
if (fault === "profile") serveBulkThread({ decision: odd(), profiles: { odd: { most: "many" } } });
else serveBulkThread({ decision: odd(fault === "differs" ? `${threadId}` : "1") });

function odd(version = "1") {
  return defineDecision({
    id: "odd",
    version,
    inputSchema: z.object({ n: z.number() }),
    outputSchema: z.object({ n: z.number(), lot: z.string() }),
    profileSchema: z.object({ most: z.number().default(1) }),
    rules: [
      {
        id: "even",
        when: ({ n }) => {
          if (fault === "dies" && n === 50) process.exit(4);
          if (n % 2 === 1) throw new Error(`${n} is odd`);
          return true;
        },
        emit: ({ n }, _, { requestId }) => ({ n, lot: requestId }),
      },
    ],
  });
}
