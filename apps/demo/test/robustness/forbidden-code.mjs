import { toJsonSchema, typebox } from "@decern/schema";
import { Type } from "typebox";

const type = Type.Object({ a: Type.Integer() });
try {
  typebox(type);
  process.stdout.write("defined\n");
} catch (error) {
  process.stdout.write(`${error.name} ${error.code} ${error.message}\n`);
}
process.stdout.write(`${JSON.stringify(toJsonSchema(type))}\n`);
