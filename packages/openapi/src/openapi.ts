import type { Decision, OpenAPIFeature, ServiceDescription } from "@decern/core";
import { endpointKind } from "@decern/core/host";
import {
  checkedOptions,
  feature,
  kinds,
  type OptionRule,
  type OptionsOf,
  option,
  requiredOption,
} from "@decern/core/options";
import { buildDocument } from "./build-document.js";
import { copyInfo, infoWithDefaults, type OpenAPIDocument, type OpenAPIInfo } from "./document/document.js";
import { infoKind, infoRows, serviceKind } from "./document/option-kinds.js";

const rows = {
  /** Generates and serves the document. @default false */
  enabled: option(kinds.flag, false),
  /** Path of the document. @default "/openapi.json" */
  endpoint: option<string>(endpointKind, "/openapi.json"),
  ...infoRows,
  /** Serves the UI. @default as `enabled` */
  swaggerUI: option(kinds.flag),
  /** Path of the UI. @default "/swagger" */
  swaggerEndpoint: option<string>(endpointKind, "/swagger"),
};

const ownPaths: OptionRule = ({ endpoint, swaggerEndpoint }) =>
  endpoint === swaggerEndpoint
    ? [{ path: "/swaggerEndpoint", message: "is also the path of the document" }]
    : [];

/** Options of {@link openapi}. */
export interface OpenAPIOptions extends OptionsOf<typeof rows> {}

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
  const { enabled, endpoint, swaggerEndpoint, swaggerUI, ...given } = checkedOptions(
    "openapi",
    options,
    rows,
    [ownPaths],
  );
  const info = copyInfo(infoWithDefaults(given.info));
  return {
    [feature]: "openapi",
    enabled,
    endpoint,
    swaggerUI: enabled && (swaggerUI ?? true),
    swaggerEndpoint,
    buildDocument: (decisions, service) => buildDocument(decisions, info, service),
  };
}

const argumentRows = {
  decisions: requiredOption(kinds.listOf(kinds.anything<Decision>())),
  info: requiredOption(infoKind),
  service: option(serviceKind),
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
  checkedOptions("generateOpenAPISpec", { decisions, info, service }, argumentRows);
  return buildDocument(decisions, info, service);
}
