import { typebox } from "@decern/schema";
import { Type } from "typebox";

export const application = typebox(
  Type.Object({ amount: Type.Number({ exclusiveMinimum: 0 }), score: Type.Integer() }),
);
export const offer = typebox(Type.Object({ approved: Type.Boolean(), rate: Type.Number() }));
export const limits = typebox(Type.Object({ minScore: Type.Integer(), maxAmount: Type.Number() }));
