import type { JsonSchema } from "../schema/json-schema.js";

/** A route of a facade as a document describes it. */
export interface DescribedRoute {
  readonly method: "GET" | "POST";
  /** Segments of plain text; the last one may be a parameter, such as `:key`, which takes the rest of the path. */
  readonly path: string;
  /** Whether callers need not authenticate, because the reply tells nothing about decisions. @default false */
  readonly open?: boolean | undefined;
  readonly operation: FacadeOperation;
}

/** What a route of a facade takes and replies. Schemas are those of OpenAPI 3.0, and refer to nothing outside themselves. */
export interface FacadeOperation {
  readonly operationId: string;
  readonly summary: string;
  /** The body. @default none */
  readonly request?: JsonSchema | undefined;
  /** By status. A reply without a schema has no body. */
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly schema?: JsonSchema | undefined }>
  >;
}
