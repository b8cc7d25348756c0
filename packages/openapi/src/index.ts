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
export { type OpenAPIOptions, openapi } from "./openapi.js";
export { generateSwaggerUIHtml, type SwaggerUIHtmlOptions } from "./swagger-ui/generate-swagger-ui-html.js";
