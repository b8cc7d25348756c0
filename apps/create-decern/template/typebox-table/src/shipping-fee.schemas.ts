import { typebox } from "@decern/schema";
import { Type } from "typebox";

export const parcel = typebox(
  Type.Object({
    zone: Type.Enum(["home", "eu", "world"]),
    weightKg: Type.Number({ minimum: 0, maximum: 30 }),
    express: Type.Boolean(),
  }),
);
export const shipping = typebox(
  Type.Object({ fee: Type.Number({ minimum: 0 }), carrier: Type.Enum(["post", "courier"]) }),
);
export const nothing = typebox(Type.Object({}));
