import { Type } from "typebox";
import { z } from "zod";
import { describeSchemaPort } from "../../../test/suites/schema-port-suite.js";
import { typebox } from "../src/index.js";

describeSchemaPort("TypeBox", () => ({
  object: typebox(
    Type.Object({
      name: Type.String(),
      size: Type.Integer({ minimum: 1 }),
      kind: Type.Union([Type.Literal("a"), Type.Literal("b")]),
    }),
  ),
  defaults: typebox(Type.Object({ limit: Type.Integer({ default: 10 }) })),
  nested: typebox(Type.Object({ items: Type.Array(Type.Object({ id: Type.String() })) })),
}));

describeSchemaPort("Zod", () => ({
  object: z.looseObject({ name: z.string(), size: z.int().min(1), kind: z.enum(["a", "b"]) }),
  defaults: z.object({ limit: z.int().default(10) }),
  nested: z.object({ items: z.array(z.object({ id: z.string() })) }),
}));
