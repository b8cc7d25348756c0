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
export type { DecisionMount } from "./mounts/add-decisions-to-spec.js";
export {
  type AdapterSpecOptions,
  addDecisionsToSpec,
  generateAdapterSpec,
} from "./mounts/add-decisions-to-spec.js";
export type { HostDocument } from "./mounts/describe-mount.js";
export { generateOpenAPISpec, type OpenAPIOptions, openapi } from "./openapi.js";
export { generateSwaggerUIHtml, type SwaggerUIHtmlOptions } from "./swagger-ui.js";
