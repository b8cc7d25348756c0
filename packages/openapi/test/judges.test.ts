import type { ServiceDescription } from "@decern/core";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { generateOpenAPISpec } from "../src/index.js";
import { lint, validate } from "./support/document-judges.js";
import { info, zoo } from "./support/zoo.js";

const services: Readonly<Record<string, ServiceDescription>> = {
  "only decisions": {},
  everything: {
    metricsEndpoint: "/metrics",
    openapiEndpoint: "/openapi.json",
    swaggerEndpoint: "/swagger",
    profileOverride: false,
    sheddingLoad: true,
    security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: "x-api-key" } },
    records: true,
    explains: true,
    maxBatch: 50,
  },
  records: { records: true },
  explanations: { explains: true },
  batches: { maxBatch: 1000, callerProfiles: { "loan-approval": ["strict"] } },
};

describe.each(Object.entries(services))("the document of the zoo, with %s", (_name, service) => {
  it("is valid for an independent validator", async () => {
    expect(await validate(generateOpenAPISpec(zoo, info, service))).toEqual([]);
  });

  it("passes a linter", async () => {
    expect(await lint(generateOpenAPISpec(zoo, info, service))).toEqual([]);
  });
});

describe("the judges themselves", () => {
  const document = JSON.stringify(generateOpenAPISpec(zoo, info));
  const spoilt = document.replace('"items":{"type":"string"}', '"items":[{"type":"string"}]');

  it("find mistakes", async () => {
    expect(spoilt).not.toBe(document);
    expect((await new Validator().validate({ ...JSON.parse(spoilt) })).valid).toBe(false);
    const config = await createConfig({ extends: ["recommended-strict"] });
    const source = document.replace("evaluateUnions", "evaluateNullable");
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId }) => ruleId)).toContain("operation-operationId-unique");
  });
});
