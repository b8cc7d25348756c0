import type { Decision } from "@decern/core";
import type { ServiceDescription } from "@decern/core/host";
import { checkOptions, optionKinds } from "@decern/core/tools";
import { infoKind, serviceKind } from "../option-kinds.js";
import { buildDocument } from "./build-document.js";
import type { OpenAPIDocument, OpenAPIInfo } from "./document.js";

const kinds = {
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
    { kinds, required: ["decisions", "info"] },
  );
  return buildDocument(decisions, info, service);
}
