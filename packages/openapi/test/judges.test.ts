import type { Decision } from "@decern/core";
import type { ServiceDescription } from "@decern/core/host";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { generateOpenAPISpec } from "../src/index.js";
import { info, zoo } from "./support/zoo.js";

const services: Readonly<Record<string, ServiceDescription>> = {
  "nothing beside the decisions": {},
  everything: {
    metricsEndpoint: "/metrics",
    openapiEndpoint: "/openapi.json",
    swaggerEndpoint: "/swagger",
    profileOverride: false,
    sheddingLoad: true,
    security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: "x-api-key" } },
    protectMetrics: true,
  },
};

async function validate(decisions: readonly Decision[], service: ServiceDescription): Promise<unknown> {
  const document: object = JSON.parse(JSON.stringify(generateOpenAPISpec(decisions, info, service)));
  const { valid, errors } = await new Validator().validate({ ...document });
  return valid ? [] : errors;
}

async function lint(decisions: readonly Decision[], service: ServiceDescription): Promise<unknown> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({
    source: JSON.stringify(generateOpenAPISpec(decisions, info, service)),
    absoluteRef: "openapi.json",
    config,
  });
  return problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }));
}

describe.each(Object.entries(services))("the document of the zoo, with %s", (_name, service) => {
  it("is valid for an independent validator", async () => {
    expect(await validate(zoo, service)).toEqual([]);
  });

  it("leaves a linter nothing to say", async () => {
    expect(await lint(zoo, service)).toEqual([]);
  });
});

describe("the judges themselves", () => {
  const document = JSON.stringify(generateOpenAPISpec(zoo, info));
  const spoilt = document.replace('"items":{"type":"string"}', '"items":[{"type":"string"}]');

  it("find what is wrong", async () => {
    expect(spoilt).not.toBe(document);
    expect((await new Validator().validate({ ...JSON.parse(spoilt) })).valid).toBe(false);
    const config = await createConfig({ extends: ["recommended-strict"] });
    const source = document.replace("evaluateUnions", "evaluateNullable");
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId }) => ruleId)).toContain("operation-operationId-unique");
  });
});
