import { type Decision, defineDecision } from "@decern/core";
import { type FlagOptions, ofrep } from "@decern/ofrep";
import { z } from "zod";

const profileSchema = z.object({});

/** An output that is itself a value. */
export const newCheckout = defineDecision({
  id: "new-checkout",
  version: "1.2.0",
  inputSchema: z.object({ targetingKey: z.string(), plan: z.string().optional() }),
  outputSchema: z.boolean(),
  profileSchema,
  rules: [
    {
      id: "broken",
      when: ({ plan }) => {
        if (plan === "broken") throw new Error("secret of the rule");
        return false;
      },
      emit: () => true,
    },
    { id: "paying", when: ({ plan }) => plan === "pro", emit: () => true },
    { id: "others", when: ({ plan }) => plan !== "unknown", emit: () => false },
  ],
});

/** A value and the name of the variant. */
export const banner = defineDecision({
  id: "banner",
  version: "1.0.0",
  inputSchema: z.object({ plan: z.string().optional() }),
  outputSchema: z.object({ value: z.string(), variant: z.string() }),
  profileSchema,
  rules: [
    {
      id: "any",
      when: () => true,
      emit: ({ plan }) => ({ value: `Hello, ${plan ?? "you"}`, variant: plan ?? "plain" }),
    },
  ],
});

/** An object as a value. */
export const limits = defineDecision({
  id: "limits",
  version: "1.0.0",
  inputSchema: z.object({ seats: z.number() }),
  outputSchema: z.object({ items: z.number(), colours: z.array(z.string()) }),
  profileSchema,
  rules: [
    { id: "by-seats", when: () => true, emit: ({ seats }) => ({ items: seats * 10, colours: ["red"] }) },
  ],
});

export const decisions = [newCheckout, banner, limits];

const ofPlan = {
  decision: limits,
  toInput: ({ plan }) => ({ seats: plan === "pro" ? 5 : 1 }),
} satisfies FlagOptions;

export const flagOptions: readonly (Decision | FlagOptions)[] = [
  newCheckout,
  banner,
  ofPlan,
  {
    ...ofPlan,
    key: "max-items",
    toFlag: (data) => ({
      value: typeof data === "object" && data !== null && "items" in data ? Number(data.items) : 0,
    }),
  },
];

export const flags = ofrep({ flags: flagOptions });
