import type { Problem } from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { referencesIn } from "../document/references.js";

/** The OpenAPI 3.0 document of an application. */
export interface HostDocument {
  readonly openapi?: string | undefined;
  readonly paths?: object | undefined;
  readonly components?: object | undefined;
  readonly tags?: readonly object[] | undefined;
}

/** A part of a document, by name. */
export type Named = Readonly<Record<string, unknown>>;

/** Rejects other versions, in which schemas mean something else. */
export function documentProblems(document: unknown): readonly Problem[] {
  if (!isJsonObject(document)) return [{ path: "/document", message: "must be an OpenAPI 3.0 document" }];
  const { openapi } = document;
  return typeof openapi === "string" && openapi.startsWith("3.0.")
    ? []
    : [{ path: "/document/openapi", message: "must be a version of OpenAPI 3.0, such as 3.0.3" }];
}

/** The fields of an object; none for anything else. */
export function fieldsOf(value: unknown): Named {
  return isJsonObject(value) ? value : {};
}

/** The `operationId` of every operation of a document. */
export function operationIds({ paths }: HostDocument): readonly string[] {
  return Object.values(fieldsOf(paths))
    .flatMap((item) => Object.values(fieldsOf(item)))
    .flatMap((operation) => {
      const { operationId } = fieldsOf(operation);
      return typeof operationId === "string" ? [operationId] : [];
    });
}

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
