import { defineDecision, evaluate } from "@decern/core";
import { typebox } from "@decern/schema";
import { Type } from "typebox";

const decision = defineDecision({
  id: "bundled",
  version: "1",
  inputSchema: typebox(Type.Object({ list: Type.String({ pattern: "^(?:[a-z]+,)*[a-z]+$" }) })),
  outputSchema: typebox(Type.Boolean()),
  profileSchema: typebox(Type.Object({})),
  rules: [{ id: "always", when: () => true, emit: () => true }],
});
process.stdout.write(
  `${evaluate(decision, { list: "a,b" }).status} ${evaluate(decision, { list: "a,," }).status}\n`,
);
