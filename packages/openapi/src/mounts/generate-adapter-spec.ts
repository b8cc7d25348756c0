import { endpointKind } from "@decern/core/host";
import { checkOptions } from "@decern/core/tools";
import { copyInfo } from "../document/copy-info.js";
import type { OpenAPIDocument, OpenAPIInfo } from "../document/document.js";
import { infoWithDefaults } from "../document/info-with-defaults.js";
import { serverUrl } from "../document/server-url.js";
import { partialInfoKind } from "../option-kinds.js";
import { addDecisionsToSpec } from "./add-decisions-to-spec.js";
import { type DecisionMount, mountKinds } from "./decision-mount.js";

/** Options of {@link generateAdapterSpec}. */
export interface AdapterSpecOptions extends DecisionMount {
  /** The document's `info`. @default title "Decision service", version "1.0.0" */
  readonly info?: Partial<OpenAPIInfo> | undefined;
  /** Where the document is read. The server's URL is then relative to it, and works behind a path prefix. @default `/` is the server's URL */
  readonly documentPath?: string | undefined;
}

/**
 * Describes the decisions of an Express router or a Fastify plugin as an OpenAPI 3.0.3 document, at the paths where the
 * application serves them.
 *
 * @returns plain data, ready for `JSON.stringify`
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * app.use("/api", createDecisionRouter({ decisions, prefix: "decisions" }));
 * const document = generateAdapterSpec({ decisions, prefix: "/api/decisions" });
 * app.get("/api/openapi.json", (_request, response) => response.json(document));
 * ```
 */
export function generateAdapterSpec(options: AdapterSpecOptions): OpenAPIDocument {
  checkOptions("generateAdapterSpec", options, {
    kinds: { ...mountKinds, info: partialInfoKind, documentPath: endpointKind },
    required: ["decisions"],
  });
  const { info, documentPath, ...mount } = options;
  const empty: OpenAPIDocument = {
    openapi: "3.0.3",
    info: copyInfo(infoWithDefaults(info)),
    servers: [{ url: serverUrl(documentPath), description: "The server that serves this document" }],
    security: [],
    tags: [],
    paths: {},
    components: { schemas: {}, responses: {}, parameters: {}, headers: {} },
  };
  return addDecisionsToSpec(empty, mount);
}
