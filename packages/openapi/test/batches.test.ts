import { defineDecision } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { generateOpenAPISpec } from "../src/index.js";
import { lint, validate } from "./support/document-judges.js";
import { schemaValidator } from "./support/document-validator.js";
import { info } from "./support/zoo.js";

const version = (id: string, version: string) =>
  defineDecision({
    id,
    version,
    inputSchema: z.object({}),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "only", when: () => true, emit: () => ({}) }],
  });
// Names that those of batches could be mistaken for.
const decisions = [
  version("loan", "1"),
  version("loan", "2"),
  version("batch", "1"),
  version("result-batch", "1"),
];
const versions = { loan: { default: "1" } };

it("describes batches of any decision, and of any version where there are some", async () => {
  const document = generateOpenAPISpec(decisions, info, { maxBatch: 7, versions });
  const { paths, components } = document;
  expect(Object.keys(paths).filter((path) => path.endsWith("/batch") && path.includes("{"))).toEqual([
    "/decisions/{id}/batch",
    "/decisions/{id}/versions/{version}/batch",
  ]);
  expect(components.schemas["InputBatch"]).toMatchObject({ properties: { inputs: { maxItems: 7 } } });
  const operationIds = Object.values(paths).map(({ get, post }) => (post ?? get)?.operationId);
  expect(new Set(operationIds).size).toBe(operationIds.length);
  expect({ validate: await validate(document), lint: await lint(document) }).toEqual({
    validate: [],
    lint: [],
  });
});

it("describes none where the service takes none, and no profile where callers may send none", () => {
  const { paths } = generateOpenAPISpec(decisions, info, { versions });
  expect(Object.keys(paths).filter((path) => path.includes("}/batch"))).toEqual([]);
  const fields = (service: object) => {
    const { components } = generateOpenAPISpec(decisions, info, { maxBatch: 7, versions, ...service });
    return Object.keys(Object(components.schemas["InputBatch"])["properties"]);
  };
  expect(fields({})).toEqual(["inputs", "profile"]);
  expect(fields({ profileOverride: false })).toEqual(["inputs"]);
  expect(fields({ callerProfiles: { loan: ["strict"] } })).toEqual(["inputs", "profile", "profileName"]);
});

it.each([
  ["replace", false],
  ["merge", true],
] as const)(
  "takes a profile together with the name of one as the server does with %s",
  (profileOverride, takes) => {
    const service = { maxBatch: 7, profileOverride, callerProfiles: { loan: ["strict"] } };
    const { schemas } = generateOpenAPISpec(decisions.slice(0, 1), info, service).components;
    for (const [name, body] of [
      ["LoanRequest", { input: {} }],
      ["InputBatch", { inputs: [] }],
    ] as const) {
      const validate = schemaValidator(schemas[name] ?? {}, schemas);
      const profiles = [
        {},
        { profile: {} },
        { profileName: "strict" },
        { profile: {}, profileName: "strict" },
      ];
      expect(profiles.map((more) => validate({ ...body, ...more }))).toEqual([true, true, true, takes]);
    }
  },
);
