// The decision that the workers of the test evaluate, and that the test evaluates itself.
import { defineDecision } from "@decern/core";
import { z } from "zod";

export const pricing = defineDecision({
  id: "pricing",
  version: "1.0.0",
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ price: z.number(), lot: z.string() }),
  profileSchema: z.object({}),
  rules: [
    {
      id: "poison",
      when: ({ n }) => n === 666_666_666,
      emit: () => {
        process.kill(process.pid, "SIGKILL");
        // The signal is on its way.
        for (;;);
      },
    },
    {
      id: "even",
      when: ({ n }) => n % 2 === 0,
      emit: ({ n }, _, { requestId }) => ({ price: n * 3 + 1, lot: requestId }),
    },
    {
      id: "third",
      when: ({ n }) => n % 3 === 0,
      emit: ({ n }, _, { requestId }) => ({ price: n * 7, lot: requestId }),
    },
  ],
});
