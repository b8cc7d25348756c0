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
} from "./document.js";
export { generateOpenAPISpec } from "./generate-openapi-spec.js";
export { generateSwaggerUIHtml, type SwaggerUIHtmlOptions } from "./generate-swagger-ui-html.js";
export { type OpenAPIOptions, openapi } from "./openapi.js";
