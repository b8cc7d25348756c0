import type { Decision } from "@decern/core";
import { checkOptions, optionKinds, type ServiceDescription } from "@decern/core/host";
import { infoKind, serviceKind } from "../option-kinds.js";
import { buildDocument } from "./build-document.js";
import type { OpenAPIDocument, OpenAPIInfo } from "./document.js";

const kinds = {
  decisions: optionKinds.listOf(optionKinds.anything),
  info: infoKind,
  service: serviceKind,
};

/**
 * Describes decisions, and the server that serves them, as an OpenAPI 3.0.3 document.
 *
 * @param decisions - one operation each, in this order
 * @param info - what the API is called
 * @param service - what the server has beside its decisions. @default the standalone server without options
 * @returns plain data, ready for `JSON.stringify`
 * @throws DecernError `INVALID_OPTIONS` for duplicate ids, what is no decision, a bad `info` or `service`, a reference in a
 *   schema that leads nowhere
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
