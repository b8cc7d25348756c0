import { typebox } from "@decern/schema";
import { tableContract } from "@decern/table";
import { Type } from "typebox";

/** Its answer names the set of its row, and that of its profile. Named as in the guide to live tables. */
export const shippingFee = tableContract({
  id: "main",
  inputSchema: typebox(Type.Object({ any: Type.Optional(Type.Integer()) })),
  outputSchema: typebox(Type.Object({ row: Type.Integer(), profile: Type.Integer() })),
  profileSchema: typebox(Type.Object({ set: Type.Integer() })),
});
