import { defineDecision } from "@decern/core";
import { z } from "zod";

const amounts = { inputSchema: z.object({ amount: z.int() }), outputSchema: z.object({ fee: z.number() }) };

const fee = defineDecision({
  ...amounts,
  id: "fee",
  version: "1.0.0",
  profileSchema: z.object({ each: z.int() }),
  rules: [{ id: "fee", when: () => true, emit: (input, profile) => ({ fee: input.amount * profile.each }) }],
});

/** A decision that uses another one. */
const total = defineDecision({
  ...amounts,
  id: "total",
  version: "1.0.0",
  profileSchema: z.object({}),
  uses: [fee],
  rules: [
    {
      id: "total",
      when: () => true,
      emit: (input, _profile, context) => ({ fee: context.evaluate(fee, input).data.fee + input.amount }),
    },
  ],
});

export const decisions = [total, fee];
export const profiles = { total: {}, fee: { each: 2 } };
