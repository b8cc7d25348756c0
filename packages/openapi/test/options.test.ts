import type { ServiceDescription } from "@decern/core";
import { flags, type OptionCase, type OptionCases, optionSuite } from "../../../test/suites/option-suite.js";
import {
  type AdapterSpecOptions,
  addDecisionsToSpec,
  type DecisionMount,
  generateAdapterSpec,
  generateOpenAPISpec,
  generateSwaggerUIHtml,
  type OpenAPIContact,
  type OpenAPIInfo,
  type OpenAPILicense,
  type OpenAPIOptions,
  openapi,
  type SwaggerUIHtmlOptions,
} from "../src/index.js";
import { info } from "./support/zoo.js";

const flag: OptionCase = { right: true, takes: flags };
const path: OptionCase = { right: "/some/path" };

const contact: OptionCases<OpenAPIContact> = {
  name: { right: "Loans team", takes: ["text"] },
  url: { right: "https://example.com" },
  email: { right: "loans@example.com" },
};
const license: OptionCases<OpenAPILicense> = {
  name: { right: "MIT", takes: ["text"] },
  url: { right: "https://example.com" },
};
const infoCases: OptionCases<OpenAPIInfo> = {
  title: { right: "Loans", takes: ["text"] },
  version: { right: "1.0.0", takes: ["text"] },
  description: { right: "About loans", takes: ["text", "empty text"] },
  contact: { right: {}, takes: ["object"], group: contact },
  license: { right: { name: "MIT" }, group: license, base: { name: "MIT" } },
};
const security: OptionCase = {
  right: { name: "apiKey", scheme: {} },
  group: { name: { right: "apiKey", takes: ["text"] }, scheme: { right: {}, takes: ["object"] } },
  base: { name: "apiKey", scheme: {} },
};
const mountCases: OptionCases<DecisionMount> = {
  decisions: { right: [], takes: ["list"], items: [] },
  prefix: { right: "/api/decisions", takes: ["text", "empty text"] },
  versions: { right: {}, takes: ["object"] },
  records: flag,
  security,
  responses: {
    right: { "401": { description: "Who are you?" }, "4XX": {}, default: {} },
    takes: ["object"],
  },
};
const serviceCases: OptionCases<ServiceDescription> = {
  metricsEndpoint: path,
  openapiEndpoint: path,
  swaggerEndpoint: path,
  documentPath: path,
  docs: flag,
  profileOverride: { right: "merge", takes: ["false"] },
  sheddingLoad: flag,
  records: flag,
  explains: flag,
  maxBatch: { right: 100, takes: ["one"] },
  security,
  publicMetrics: flag,
  callerProfiles: { right: { loans: ["strict"] }, takes: ["object"] },
  facades: { right: [], takes: ["list"], items: [] },
  versions: { testedBy: "versions.test.ts" },
};

// Values that untyped JavaScript may pass.
const untyped = (work: (options: never) => unknown) => work as (options: object) => unknown;

optionSuite<OpenAPIOptions>(
  "openapi",
  {
    enabled: flag,
    endpoint: path,
    info: { right: { title: "Loans" }, takes: ["object"], group: infoCases },
    swaggerUI: flag,
    swaggerEndpoint: path,
  },
  {},
  untyped(openapi),
);

optionSuite<OpenAPIInfo>(
  "generateOpenAPISpec, info",
  infoCases,
  info,
  (given) => generateOpenAPISpec([], given as OpenAPIInfo),
  "/info",
);

optionSuite<ServiceDescription>(
  "generateOpenAPISpec, service",
  serviceCases,
  {},
  (given) => generateOpenAPISpec([], info, given),
  "/service",
);

optionSuite<AdapterSpecOptions>(
  "generateAdapterSpec",
  {
    ...mountCases,
    info: { right: { title: "Loans" }, takes: ["object"], group: infoCases },
    documentPath: path,
  },
  { decisions: [] },
  untyped(generateAdapterSpec),
);

optionSuite<DecisionMount>("addDecisionsToSpec", mountCases, { decisions: [] }, (given) =>
  Reflect.apply(addDecisionsToSpec, undefined, [{ openapi: "3.0.3" }, given]),
);

optionSuite<SwaggerUIHtmlOptions>(
  "generateSwaggerUIHtml",
  { title: { right: "Loans", takes: ["text", "empty text"] } },
  {},
  (options) => generateSwaggerUIHtml("openapi.json", options),
);
