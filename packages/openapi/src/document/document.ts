import { isJsonObject } from "@decern/core/schema";

/** A Schema Object of OpenAPI 3.0, or a reference to one. */
export type SchemaObject = { readonly [keyword: string]: unknown };

export type ReferenceObject = { readonly $ref: string };

export type ParameterObject = {
  readonly name: string;
  readonly in: "path" | "header";
  readonly description: string;
  readonly required?: boolean;
  readonly schema: SchemaObject;
};

export type HeaderObject = {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: SchemaObject;
};

export type MediaTypeObject = { readonly schema: SchemaObject; readonly example?: unknown };

export type Content = { readonly [mediaType: string]: MediaTypeObject };

export type ResponseObject = {
  readonly description: string;
  readonly headers?: { readonly [name: string]: HeaderObject | ReferenceObject };
  readonly content?: Content;
};

export type Responses = { readonly [status: string]: ResponseObject | ReferenceObject };

export type SecurityRequirement = { readonly [scheme: string]: readonly string[] };

export type OperationObject = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags: readonly string[];
  readonly parameters?: readonly (ParameterObject | ReferenceObject)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Responses;
  readonly security?: readonly SecurityRequirement[];
  readonly "x-decision-id"?: string;
  readonly "x-decision-version"?: string;
  readonly "x-decision-meta"?: Readonly<Record<string, unknown>>;
};

export type PathItemObject = { readonly get?: OperationObject; readonly post?: OperationObject };

export type ComponentsObject = {
  readonly schemas: { readonly [name: string]: SchemaObject };
  readonly responses: { readonly [name: string]: ResponseObject };
  readonly parameters: { readonly [name: string]: ParameterObject };
  readonly headers: { readonly [name: string]: HeaderObject };
  readonly securitySchemes?: { readonly [name: string]: Readonly<Record<string, unknown>> };
};

/** The contact for an API. */
export type OpenAPIContact = {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly email?: string | undefined;
};

/** The license of an API. */
export type OpenAPILicense = { readonly name: string; readonly url?: string | undefined };

/** The `info` block of a document. */
export type OpenAPIInfo = {
  readonly title: string;
  readonly version: string;
  /** CommonMark. */
  readonly description?: string | undefined;
  readonly contact?: OpenAPIContact | undefined;
  readonly license?: OpenAPILicense | undefined;
};

/** An OpenAPI 3.0.3 document, with the fields that this package writes. */
export type OpenAPIDocument = {
  readonly openapi: "3.0.3";
  readonly info: OpenAPIInfo;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: { readonly [path: string]: PathItemObject };
  readonly components: ComponentsObject;
};

/** Copies an info block, so later changes to the original do not affect a document. */
export function copyInfo(info: OpenAPIInfo): OpenAPIInfo {
  const { contact, license, ...texts } = info;
  return {
    ...texts,
    ...(contact === undefined ? {} : { contact: { ...contact } }),
    ...(license === undefined ? {} : { license: { ...license } }),
  };
}

/** An info block with the title and the version that documents have by default. */
export function infoWithDefaults(
  info: { readonly [Name in keyof OpenAPIInfo]?: OpenAPIInfo[Name] | undefined } = {},
): OpenAPIInfo {
  const title = info.title ?? "Decision service";
  return { ...info, title, version: info.version ?? "1.0.0" };
}

/**
 * The server's root, relative to a document. From `/openapi.json`, one `..` too many still means the root.
 *
 * @param documentPath - where the document is read
 */
export function serverUrl(documentPath: string | undefined): string {
  if (documentPath === undefined) return "/";
  const depth = documentPath.split("/").length - 2;
  return depth <= 0 ? "." : Array.from({ length: depth }, () => "..").join("/");
}

/**
 * Escapes text for a `description`, which is CommonMark and may contain HTML. Tags and entities then appear as written.
 */
export function plainText(text: string): string {
  return text.replaceAll(/&(?=#?[A-Za-z0-9]+;)/g, "&amp;").replaceAll("<", "&lt;");
}

/** Every reference in a part of a document. Tools that resolve a document follow each `$ref`, even in data. */
export function referencesIn(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    key === "$ref" && typeof value === "string" ? [value] : referencesIn(value),
  );
}

/**
 * Copies a part of a document with other references.
 *
 * @param change - returns the new reference, or `undefined` to keep it
 * @param inMappings - whether the mappings of discriminators change too, where references are plain text
 */
export function mapReferences(
  part: unknown,
  change: (ref: string) => string | undefined,
  inMappings = false,
): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => mapReferences(item, change, inMappings));
  if (!isJsonObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === "$ref" && typeof value === "string") return [key, change(value) ?? value];
      if (key !== "mapping" || !inMappings || !isJsonObject(value))
        return [key, mapReferences(value, change, inMappings)];
      const targets = Object.entries(value).map(([name, target]) => [
        name,
        typeof target === "string" ? (change(target) ?? target) : mapReferences(target, change, true),
      ]);
      return [key, Object.fromEntries(targets)];
    }),
  );
}
