import type { Problem } from "@decern/core";
import { escapePointer } from "@decern/core/schema";
import { fieldsOf, type Named } from "./host-document.js";

/** Finds responses that refer to components which a document does not have. */
export function danglingReferences(responses: Named, components: Named): readonly Problem[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    referencesIn(response)
      .filter((ref) => {
        const [, section, name] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(ref) ?? [];
        return (
          section !== undefined && name !== undefined && !Object.hasOwn(fieldsOf(components[section]), name)
        );
      })
      .map((ref) => ({
        path: `/responses/${escapePointer(status)}`,
        message: `refers to ${ref}, which the document does not have`,
      })),
  );
}

function referencesIn(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    key === "$ref" && typeof value === "string" ? [value] : referencesIn(value),
  );
}
