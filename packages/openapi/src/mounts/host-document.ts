import type { Problem } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";

/** The OpenAPI 3.0 document of an application. */
export interface HostDocument {
  readonly openapi?: string | undefined;
  readonly paths?: object | undefined;
  readonly components?: object | undefined;
  readonly tags?: readonly object[] | undefined;
}

/** A part of a document, by name. */
export type Named = Readonly<Record<string, unknown>>;

/** What is wrong with a document that decisions are to be added to. Schemas of other versions mean something else. */
export function documentProblems(document: unknown): readonly Problem[] {
  if (!isJsonObject(document)) return [{ path: "/document", message: "must be an OpenAPI 3.0 document" }];
  const { openapi } = document;
  return typeof openapi === "string" && openapi.startsWith("3.0.")
    ? []
    : [{ path: "/document/openapi", message: "must be a version of OpenAPI 3.0, such as 3.0.3" }];
}

/** The fields of an object, none where there is no object. */
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
