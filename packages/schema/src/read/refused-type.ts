import type { JsonSchema } from "@decern/core";
import { REFUSED_KINDS } from "./keywords.js";

/** Describes why a type is refused: its values are not JSON, or its check is not part of the schema. TypeBox marks such types. */
export function refusedType(type: JsonSchema): string | undefined {
  const kind = type["~kind"];
  if (typeof kind === "string" && Object.hasOwn(REFUSED_KINDS, kind)) {
    return `is a ${kind}, which JSON cannot carry; use ${REFUSED_KINDS[kind]}`;
  }
  if ("~standard" in type) return "is already a schema, not a TypeBox type; pass it without typebox()";
  if ("~codec" in type) return "is a codec, which JSON Schema cannot express; convert values in the rules";
  if ("~refine" in type) return "has a refinement, which JSON Schema cannot express; check it in a rule";
  if (isUnsafeNothing(type)) return "is Type.Unsafe without a schema; use Type.Never() or Type.Unknown()";
  return undefined;
}

/** TypeBox turns `Type.Unsafe(false)` into an empty type, which allows everything. */
function isUnsafeNothing(type: JsonSchema): boolean {
  return "~unsafe" in type && !("~kind" in type) && Object.keys(type).length === 0;
}
