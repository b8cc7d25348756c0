export type {
  ComponentsObject,
  Content,
  HeaderObject,
  MediaTypeObject,
  OpenAPIContact,
  OpenAPIDocument,
  OpenAPIInfo,
  OpenAPILicense,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ReferenceObject,
  ResponseObject,
  Responses,
  SchemaObject,
  SecurityRequirement,
} from "./document/document.js";
export { generateOpenAPISpec } from "./document/generate-openapi-spec.js";
export { addDecisionsToSpec } from "./mounts/add-decisions-to-spec.js";
export type { DecisionMount } from "./mounts/decision-mount.js";
export { type AdapterSpecOptions, generateAdapterSpec } from "./mounts/generate-adapter-spec.js";
export type { HostDocument } from "./mounts/host-document.js";
export { type OpenAPIOptions, openapi } from "./openapi.js";
export { generateSwaggerUIHtml, type SwaggerUIHtmlOptions } from "./swagger-ui/generate-swagger-ui-html.js";
