import { DecernError, type OpenAPIFeature } from "@decern/core";
import { endpointKind } from "@decern/core/host";
import { feature, type OptionTable, optionKinds, optionProblems } from "@decern/core/tools";
import { buildDocument } from "./document/build-document.js";
import { copyInfo } from "./document/copy-info.js";
import type { OpenAPIInfo } from "./document/document.js";
import { infoWithDefaults } from "./document/info-with-defaults.js";
import { partialInfoKind } from "./option-kinds.js";

/** Options of {@link openapi}. */
export interface OpenAPIOptions {
  /** Whether the document is generated and served. @default false */
  readonly enabled?: boolean | undefined;
  /** Path of the document. @default "/openapi.json" */
  readonly endpoint?: string | undefined;
  /** The document's `info`. @default title "Decision service", version "1.0.0" */
  readonly info?: Partial<OpenAPIInfo> | undefined;
  /** Whether the interactive UI is served. @default true when `enabled` */
  readonly swaggerUI?: boolean | undefined;
  /** Path of the UI. @default "/swagger" */
  readonly swaggerEndpoint?: string | undefined;
}

const kinds: OptionTable<OpenAPIOptions> = {
  enabled: optionKinds.flag,
  endpoint: endpointKind,
  info: partialInfoKind,
  swaggerUI: optionKinds.flag,
  swaggerEndpoint: endpointKind,
};

/**
 * Creates the OpenAPI feature for `createServer`.
 *
 * @param options - checked at once
 * @returns the feature: where the document and its UI are served, and what builds the document
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * const server = createServer({ decisions, openapi: openapi({ enabled: true, info: { title: "Loans" } }) });
 * ```
 */
export function openapi(options: OpenAPIOptions = {}): OpenAPIFeature {
  const problems = [...optionProblems(options, { kinds })];
  const {
    enabled = false,
    endpoint = "/openapi.json",
    swaggerUI = enabled,
    swaggerEndpoint = "/swagger",
  } = options ?? {};
  if (endpoint === swaggerEndpoint)
    problems.push({ path: "/swaggerEndpoint", message: "is also the path of the document" });
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "openapi", problems });
  const info = copyInfo(infoWithDefaults(options.info));
  return {
    [feature]: "openapi",
    enabled,
    endpoint,
    swaggerUI: enabled && swaggerUI,
    swaggerEndpoint,
    buildDocument: (decisions, service) => buildDocument(decisions, info, service),
  };
}
