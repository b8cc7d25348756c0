import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { Type } from "typebox";

const misses = Array.from({ length: 12 }, (_, index) => ({
  id: `miss-${index + 1}`,
  description: `Never, for reason ${index + 1}`,
  when: () => false,
  emit: () => ({ open: false }),
}));

/** A decision about days and instants, with many rules before and after the one that matches. */
export const visits = defineDecision({
  id: "visits",
  version: "1.4.0",
  description: "Whether a visitor may come in",
  meta: { owner: "reception", notFor: "Deliveries" },
  inputSchema: typebox(
    Type.Object({
      day: Type.String({ title: "Day", format: "date" }),
      arrival: Type.Optional(Type.String({ title: "Arrival", format: "date-time" })),
    }),
  ),
  outputSchema: typebox(Type.Object({ open: Type.Boolean() })),
  profileSchema: typebox(
    Type.Object({ closedOn: Type.With(Type.String(), { title: "Closed on", default: "2026-12-25" }) }),
  ),
  rules: [
    ...misses,
    {
      id: "open-day",
      when: (input, profile) => input.day !== profile.closedOn,
      emit: () => ({ open: true }),
      explain: (input) => `Open on ${input.day}`,
    },
    ...Array.from({ length: 8 }, (_, index) => ({
      id: `late-${index + 1}`,
      when: () => true,
      emit: () => ({ open: false }),
    })),
  ],
});
