import { DecernError, type Decision, type OpenAPIFeature } from "@decern/core";
import { endpointKind, type ServiceDescription } from "@decern/core/host";
import { checkOptions, feature, type OptionTable, optionKinds, optionProblems } from "@decern/core/tools";
import { buildDocument } from "./build-document.js";
import { copyInfo, infoWithDefaults, type OpenAPIDocument, type OpenAPIInfo } from "./document/document.js";
import { infoKind, partialInfoKind, serviceKind } from "./document/option-kinds.js";

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
 * @param options - checked immediately
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

const argumentKinds = {
  decisions: optionKinds.listOf(optionKinds.anything),
  info: infoKind,
  service: serviceKind,
};

/**
 * Describes decisions and the server that serves them as an OpenAPI 3.0.3 document.
 *
 * @param decisions - each becomes one operation, in this order; versions of one id need `service.versions`
 * @param info - the document's `info`
 * @param service - what the server offers besides its decisions. @default the standalone server without options
 * @returns plain data, ready for `JSON.stringify`
 * @throws DecernError `INVALID_OPTIONS` for duplicate ids and versions, values that are not decisions, an invalid `info` or `service`, and
 *   references in a schema without a target
 *
 * @example
 * ```ts
 * const document = generateOpenAPISpec([loanApproval], { title: "Loans", version: "1.0.0" });
 * document.paths["/decisions/loan-approval"]?.post?.operationId; // "evaluateLoanApproval"
 * ```
 */
export function generateOpenAPISpec(
  decisions: readonly Decision[],
  info: OpenAPIInfo,
  service: ServiceDescription = {},
): OpenAPIDocument {
  checkOptions(
    "generateOpenAPISpec",
    { decisions, info, service },
    { kinds: argumentKinds, required: ["decisions", "info"] },
  );
  return buildDocument(decisions, info, service);
}
