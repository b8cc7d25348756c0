import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { Type } from "typebox";

const address = Type.Object({ city: Type.String({ minLength: 1 }), zip: Type.Optional(Type.String()) });

/** A decision that uses every widget of the form. */
export const zoo = defineDecision({
  id: "zoo",
  version: "3.1.4",
  description: "Every kind of field there is",
  meta: { owner: "keepers", tags: ["a", "b"] },
  inputSchema: typebox(
    Type.Object({
      name: Type.String({ title: "Full name", description: "As in the passport", minLength: 2 }),
      age: Type.Integer({ title: "Age", minimum: 0, maximum: 120 }),
      weight: Type.Number({ exclusiveMinimum: 0 }),
      plan: Type.Enum(["basic", "plus", "pro"], { type: "string" }),
      active: Type.Boolean(),
      address,
      tags: Type.Array(Type.String({ minLength: 1 }), { maxItems: 3 }),
      nickname: Type.Optional(Type.String()),
      partner: Type.Optional(Type.Union([address, Type.Null()])),
      either: Type.Optional(
        Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })]),
      ),
    }),
  ),
  outputSchema: typebox(Type.Object({ fits: Type.Boolean(), note: Type.String() })),
  profileSchema: typebox(
    Type.Object({ minAge: Type.With(Type.Integer(), { title: "Lowest age", minimum: 0, default: 18 }) }),
  ),
  rules: [
    {
      id: "too-young",
      when: (input, profile) => input.age < profile.minAge,
      emit: (input) => ({ fits: false, note: input.name }),
      explain: (input, profile) => `Age ${input.age} is below ${profile.minAge}`,
    },
    {
      id: "active",
      when: (input) => input.active,
      emit: (input) => ({ fits: true, note: input.tags.join(" ") }),
      explain: (input) => `Plan ${input.plan} is active`,
    },
    { id: "never", when: () => false, emit: () => ({ fits: false, note: "" }) },
  ],
});

export const zooInput = {
  name: "Ada",
  age: 36,
  weight: 61.5,
  plan: "plus",
  active: true,
  address: { city: "London" },
  tags: ["math"],
};
