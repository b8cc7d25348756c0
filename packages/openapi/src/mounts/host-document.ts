import type { Problem } from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";

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

function referencesIn(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    key === "$ref" && typeof value === "string" ? [value] : referencesIn(value),
  );
}

/**
 * Makes a part of a document refer to components by their new names.
 *
 * @param renamed - the new reference for each old one
 * @returns a copy
 */
export function renameReferences(part: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => renameReferences(item, renamed));
  if (!isJsonObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === "$ref" && typeof value === "string") return [key, renamed.get(value) ?? value];
      // The references of a discriminator are plain text.
      return key === "mapping" && isJsonObject(value)
        ? [key, mapValues(value, (target) => renameMapped(target, renamed))]
        : [key, renameReferences(value, renamed)];
    }),
  );
}

function renameMapped(target: unknown, renamed: ReadonlyMap<string, string>): unknown {
  return typeof target === "string" ? (renamed.get(target) ?? target) : renameReferences(target, renamed);
}

function mapValues(
  object: Readonly<Record<string, unknown>>,
  change: (value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
