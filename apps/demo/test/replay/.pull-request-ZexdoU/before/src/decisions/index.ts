
import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { Type } from "typebox";

export const loanApproval = defineDecision({
  id: "loan-approval",
  version: "1.2.0",
  inputSchema: typebox(Type.Object({ score: Type.Integer() })),
  outputSchema: typebox(Type.Object({ rate: Type.Number() })),
  profileSchema: typebox(Type.Object({})),
  rules: [
    {
      id: "prime",
      when: (input) => input.score >= 740,
      emit: () => ({ rate: 4.9 }),
      explain: (input) => "Score " + input.score,
    },
    { id: "standard", when: () => true, emit: () => ({ rate: 12.9 }) },
  ],
});

export const decisions = [loanApproval];
