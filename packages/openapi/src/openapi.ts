import {
  checkOptions,
  DecernError,
  feature,
  isJsonObject,
  type OpenAPIFeature,
  type Problem,
} from "@decern/core";
import type { OpenAPIInfo } from "./document.js";
import { generateOpenAPISpec } from "./generate-openapi-spec.js";
import { checkInfo } from "./openapi-info.js";

/** What {@link openapi} takes. */
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

const pathPattern = /^(\/[A-Za-z0-9._~-]+)+$/;

/**
 * Makes the OpenAPI feature that `createServer` takes.
 *
 * @param options - `OpenAPIOptions`; checked at once
 * @returns the feature: where the document and its UI are served, and what builds the document
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * const server = createServer({ decisions, openapi: openapi({ enabled: true, info: { title: "Loans" } }) });
 * ```
 */
export function openapi(options: OpenAPIOptions = {}): OpenAPIFeature {
  checkOptions("openapi", options, {
    known: ["enabled", "endpoint", "info", "swaggerUI", "swaggerEndpoint"],
  });
  const {
    enabled = false,
    endpoint = "/openapi.json",
    swaggerUI = enabled,
    swaggerEndpoint = "/swagger",
  } = options;
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries({ enabled, swaggerUI })) {
    if (typeof value !== "boolean") problems.push({ path: `/${name}`, message: "has to be true or false" });
  }
  for (const [name, value] of Object.entries({ endpoint, swaggerEndpoint })) {
    if (typeof value !== "string" || !pathPattern.test(value)) {
      problems.push({ path: `/${name}`, message: "has to be a path, such as /openapi.json" });
    }
  }
  if (options.info !== undefined && !isJsonObject(options.info))
    problems.push({ path: "/info", message: "has to be an object" });
  if (endpoint === swaggerEndpoint)
    problems.push({ path: "/swaggerEndpoint", message: "is the path of the document, too" });
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "openapi", problems });
  const info = checkInfo(withDefaults(options.info));
  return {
    [feature]: "openapi",
    enabled,
    endpoint,
    swaggerUI: enabled && swaggerUI,
    swaggerEndpoint,
    buildDocument: (decisions, service) => generateOpenAPISpec(decisions, info, service),
  };
}

function withDefaults(info: Partial<OpenAPIInfo> = {}): OpenAPIInfo {
  const title = info.title ?? "Decision service";
  return { ...info, title, version: info.version ?? "1.0.0" };
}
