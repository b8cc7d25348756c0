import { DecernError, type Decision, defineDecision } from "@decern/core";
import fc from "fast-check";
import openapiTS, { astToString } from "openapi-typescript";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compile, orvalClient } from "../../../test/suites/generated-client.js";
import {
  type AdapterSpecOptions,
  addDecisionsToSpec,
  type DecisionMount,
  generateAdapterSpec,
  type OpenAPIDocument,
  type OperationObject,
} from "../src/index.js";
import { lint, validate } from "./support/document-judges.js";
import { referencesIn, withoutReferences } from "./support/document-references.js";
import { decisionOf, info, zoo } from "./support/zoo.js";

function version(name: string, field: string): Decision {
  return defineDecision({
    id: "loan-approval",
    version: name,
    inputSchema: z.object({ [field]: z.number().meta({ examples: [1] }) }),
    outputSchema: z.object({ [field]: z.boolean() }),
    profileSchema: z.object({ limit: z.number().default(1) }),
    rules: [{ id: "always", when: () => true, emit: () => ({ [field]: true }) }],
  });
}

const decisions = [version("1.1.0", "old"), version("1.2.0", "current"), version("2.0.0", "next")];
const versions = {
  "loan-approval": {
    default: "1.2.0",
    deprecated: { "1.1.0": { since: "2026-01-01", sunset: "2027-01-01", link: "https://loans.example" } },
    retired: ["0.9.0"],
  },
};
const mount: DecisionMount = { decisions, versions, prefix: "/api/decisions" };
const security = { name: "login", scheme: { type: "http", scheme: "bearer" } };
const responses = { "401": { description: "Nobody has logged in." } };

const operationOf = (
  document: { readonly paths: OpenAPIDocument["paths"] },
  path: string,
): OperationObject => {
  const operation = document.paths[path]?.post;
  if (operation === undefined) throw new Error(`no POST ${path}`);
  return operation;
};

const selecting = { "loan-approval": { ...versions["loan-approval"], select: () => undefined } };

describe("the document of mounted decisions", () => {
  it.each<[string, AdapterSpecOptions]>([
    ["one decision", { decisions: [decisionOf("one", z.object({}))] }],
    ["the zoo, under a prefix", { decisions: zoo, prefix: "api" }],
    ["three versions", mount],
    ["three versions that the host chooses from", { ...mount, versions: selecting }],
    ["three versions, which are recorded", { ...mount, records: true }],
    ["three versions, with authentication", { ...mount, security, responses }],
  ])("is valid, and a linter finds nothing: %s", async (_name, options) => {
    const document = generateAdapterSpec({ ...options, info });
    expect(await validate(document)).toEqual([]);
    expect(await lint(document)).toEqual([]);
  });

  const document = generateAdapterSpec({ ...mount, info });

  it.each(["/api/decisions", "api/decisions/", "/api/decisions/"])(
    "has a path for each version: %s",
    (prefix) => {
      expect(Object.keys(generateAdapterSpec({ ...mount, prefix }).paths)).toEqual([
        "/api/decisions/loan-approval",
        "/api/decisions/loan-approval/versions/1.1.0",
        "/api/decisions/loan-approval/versions/1.2.0",
        "/api/decisions/loan-approval/versions/2.0.0",
      ]);
    },
  );

  it("has no paths of versions where the host names none", () => {
    const { paths } = generateAdapterSpec({ decisions: [version("1.0.0", "only")] });
    expect(Object.keys(paths)).toEqual(["/loan-approval"]);
  });

  it("takes the input itself, and no profile", () => {
    const body = operationOf(document, "/api/decisions/loan-approval").requestBody?.content[
      "application/json"
    ];
    expect(body?.example).toEqual({ current: 1 });
    expect(withoutReferences(body?.schema, document)).toHaveProperty(["properties", "current"]);
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => /Request$|Profile$|MissingInput/.test(name))).toEqual([]);
  });

  it("says of each reply that may have a record that it does, and only where calls are recorded", () => {
    const headersOf = (records: boolean) => {
      const recorded = generateAdapterSpec({ ...mount, records });
      const { responses } = operationOf(recorded, "/api/decisions/loan-approval");
      return Object.fromEntries(
        Object.keys(responses).map((status) => {
          const { headers = {} } = withoutReferences(responses[status], recorded) as { headers?: object };
          return [status, Object.keys(headers).filter((name) => name !== "x-request-id")];
        }),
      );
    };
    const id = ["decern-record-id"];
    expect(headersOf(true)).toEqual({
      "200": id,
      "400": id,
      "413": [],
      "415": [],
      "500": id,
      "503": ["retry-after"],
      default: id,
    });
    expect(Object.values(headersOf(false)).flat()).toEqual([]);
  });

  it("describes the replies of a version", () => {
    const pinned = operationOf(document, "/api/decisions/loan-approval/versions/1.1.0");
    expect(pinned.deprecated).toBe(true);
    expect(withoutReferences(pinned.responses["200"], document)).toHaveProperty([
      "headers",
      "sunset",
      "schema",
    ]);
    expect(pinned.responses).toMatchObject({
      "404": { $ref: "#/components/responses/VersionNotFound" },
      "410": { $ref: "#/components/responses/VersionRetired" },
    });
    const standard = operationOf(document, "/api/decisions/loan-approval");
    expect(Object.keys(standard.responses)).toEqual(["200", "400", "413", "415", "500", "503", "default"]);
  });

  it("allows what any version takes where the host chooses one", () => {
    const written = generateAdapterSpec({ ...mount, versions: selecting });
    const operation = operationOf(written, "/api/decisions/loan-approval");
    const fields = ["current", "old", "next"];
    expect(
      withoutReferences(operation.requestBody?.content["application/json"]?.schema, written),
    ).toMatchObject({
      anyOf: fields.map((field) => ({ properties: { [field]: {} } })),
    });
    expect(referencesIn(operation.responses["200"])).toEqual(
      expect.arrayContaining(
        ["LoanApprovalResult", "LoanApprovalV1_1_0Result", "LoanApprovalV2_0_0Result"].map(
          (name) => `#/components/schemas/${name}`,
        ),
      ),
    );
    const pinned = operationOf(written, "/api/decisions/loan-approval/versions/2.0.0");
    expect(pinned.requestBody?.content["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/LoanApprovalV2_0_0Input",
    });
  });

  it("says what the application replies, and how it authenticates", () => {
    const written = generateAdapterSpec({ ...mount, security, responses });
    const operation = operationOf(written, "/api/decisions/loan-approval");
    expect(operation.responses["401"]).toEqual(responses["401"]);
    expect(operation.security).toEqual([{ login: [] }]);
    expect(written.components.securitySchemes).toEqual({ login: security.scheme });
  });

  it("has a server URL that is relative to where it is read", () => {
    expect(generateAdapterSpec(mount).servers[0]?.url).toBe("/");
    expect(generateAdapterSpec({ ...mount, documentPath: "/api/openapi.json" }).servers[0]?.url).toBe("..");
  });
});

describe("clients of mounted decisions", () => {
  const document = generateAdapterSpec({ ...mount, info });

  it("compile, generated by orval", async () => {
    const program = `
      import { evaluateLoanApproval, evaluateLoanApprovalV200, type LoanApprovalV200Input } from "./client.js";
      const next: LoanApprovalV200Input = { next: 1 };
      export const calls = [evaluateLoanApprovalV200(next), evaluateLoanApproval({ current: 1 })];
      // @ts-expect-error the body is the input, without a wrapper
      evaluateLoanApproval({ input: { current: 1 } });
    `;
    expect(await compile({ "client.ts": await orvalClient(document), "program.ts": program })).toBe("");
  });

  it("compile, with types from openapi-typescript", async () => {
    const types = astToString(await openapiTS(JSON.stringify(document), { defaultNonNullable: false }));
    const program = `
      import type { paths } from "./types.js";
      type Post = paths["/api/decisions/loan-approval/versions/2.0.0"]["post"];
      export const input: Post["requestBody"]["content"]["application/json"] = { next: 1 };
      type Result = Post["responses"][200]["content"]["application/json"];
      export const read = (result: Result): boolean => result.status === "OK" && result.data.next;
    `;
    expect(await compile({ "types.ts": types, "program.ts": program })).toBe("");
  });
});

const host = {
  openapi: "3.0.3",
  info,
  servers: [{ url: "/" }],
  security: [],
  tags: [{ name: "Orders", description: "Buy something." }],
  paths: {
    "/orders": {
      get: {
        operationId: "evaluateLoanApproval",
        summary: "List the orders",
        tags: ["Orders"],
        responses: {
          "200": {
            description: "The orders.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/LoanApprovalInput" } } },
          },
          "400": { $ref: "#/components/responses/InvalidCall" },
        },
      },
    },
    // As `@fastify/swagger` finds the plugin's routes.
    "/api/decisions/loan-approval": { post: { responses: { default: { description: "Default Response" } } } },
    "/api/decisions/loan-approval/versions/{version}": {
      post: {
        parameters: [{ name: "version", in: "path", required: true, schema: { type: "string" } }],
        responses: { default: { description: "Default Response" } },
      },
    },
  },
  components: {
    schemas: { LoanApprovalInput: { type: "object" } },
    responses: { InvalidCall: { description: "Another one." } },
  },
};

describe("decisions in the document of an application", () => {
  it("leave the application's part as it was, and the original unchanged", async () => {
    const before = structuredClone(host);
    const document = addDecisionsToSpec(host, mount);
    expect(host).toEqual(before);
    expect(document.paths["/orders"]).toEqual(host.paths["/orders"]);
    expect(document).toMatchObject({ components: host.components, info });
    expect(await validate(document)).toEqual([]);
    expect(await lint(document)).toEqual([]);
  });

  it("take the place of what @fastify/swagger found of them", () => {
    const expected = ["/orders", ...Object.keys(generateAdapterSpec(mount).paths)];
    expect(Object.keys(addDecisionsToSpec(host, mount).paths).toSorted()).toEqual(expected.toSorted());
  });

  it("share their paths with the application's other methods", () => {
    const path = "/api/decisions/loan-approval/versions/{version}";
    const get = { summary: "Read about a version", responses: { "200": { description: "About it." } } };
    const own = { ...host, paths: { [path]: { ...host.paths[path], get } } };
    expect(addDecisionsToSpec(own, mount).paths[path]).toEqual({ get });
  });

  it("have operations and components of their own, whatever names the application uses", () => {
    const plain = generateAdapterSpec(mount);
    const sections = ["schemas", "responses", "parameters", "headers"] as const;
    const taken = fc.record(
      Object.fromEntries(
        sections.map((section) => [
          section,
          fc.subarray(
            Object.keys(plain.components[section]).flatMap((name) => [name, name.toLowerCase(), `${name}2`]),
          ),
        ]),
      ),
    );
    const ids = fc.subarray(["evaluateLoanApproval", "evaluateLoanApproval2", "evaluateLoanApprovalV2_0_0"]);
    fc.assert(
      fc.property(taken, ids, (names, operationIds) => {
        const components = Object.fromEntries(
          Object.entries(names).map(([section, some]) => [
            section,
            Object.fromEntries(some.map((name) => [name, { description: `The application's ${name}` }])),
          ]),
        );
        const paths = Object.fromEntries(
          operationIds.map((operationId) => [`/${operationId}`, { get: { operationId } }]),
        );
        const document = addDecisionsToSpec({ openapi: "3.0.3", paths, components }, mount);
        expect(document).toMatchObject({ paths, components });
        const { paths: all } = JSON.parse(JSON.stringify(document));
        const used = Object.values<Record<string, { operationId: string }>>(all)
          .flatMap((item) => Object.values(item))
          .map(({ operationId }) => operationId);
        expect(new Set(used).size).toBe(used.length);
        for (const path of Object.keys(plain.paths)) {
          // Behind their references, they say the same as in a document of their own.
          expect({ ...Object(withoutReferences(all[path].post, document)), operationId: "" }).toEqual({
            ...Object(withoutReferences(operationOf(plain, path), plain)),
            operationId: "",
          });
        }
      }),
      { numRuns: 100 },
    );
  });

  it("keep one set of shared components, however many mounts there are", () => {
    const other = { decisions: [decisionOf("other", z.object({}))], prefix: "other" };
    const names = ({ components }: OpenAPIDocument) =>
      Object.entries(components).flatMap(([section, some]) =>
        Object.keys(some).map((name) => `${section}/${name}`),
      );
    const one = generateAdapterSpec(mount);
    const both = addDecisionsToSpec(one, other);
    expect(names(both).filter((name) => !names(one).includes(name))).toEqual(
      ["OtherInput", "OtherOutput", "OtherOkResult", "OtherResult"].map((name) => `schemas/${name}`),
    );
    expect(both.components).toMatchObject(one.components);
    // The application's own components are not shared.
    const beside = addDecisionsToSpec(host, mount);
    expect(addDecisionsToSpec(beside, other)).toMatchObject({ components: beside.components });
  });

  it("are refused with responses that refer to nothing", () => {
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Nobody" } } };
    const wrong = { "401": { description: "Nobody has logged in.", content } };
    expect(problemsOf(() => addDecisionsToSpec(host, { ...mount, responses: wrong }))).toEqual([
      "/responses/401 refers to #/components/schemas/Nobody, which the document does not have",
    ]);
  });

  it("may refer to the application's components in its responses", () => {
    const own = { "401": { $ref: "#/components/responses/InvalidCall" } };
    const document = addDecisionsToSpec<typeof host & { paths: OpenAPIDocument["paths"] }>(
      JSON.parse(JSON.stringify(host)),
      { ...mount, responses: own },
    );
    expect(operationOf(document, "/api/decisions/loan-approval").responses).toMatchObject({
      ...own,
      "400": { $ref: "#/components/responses/InvalidCall2" },
    });
  });

  it("use a security scheme that the application has already", () => {
    const own = { ...host, components: { securitySchemes: { login: security.scheme } } };
    expect(addDecisionsToSpec(own, { ...mount, security }).components).toMatchObject(own.components);
    const problems = problemsOf(() =>
      addDecisionsToSpec(own, { ...mount, security: { name: "login", scheme: { type: "oauth2" } } }),
    );
    expect(problems).toEqual(["/security/name is the name of another scheme in the document"]);
  });

  it.each([
    ["OpenAPI 3.1", { openapi: "3.1.0" }, "/document/openapi"],
    ["Swagger 2", { swagger: "2.0", openapi: undefined }, "/document/openapi"],
    ["a list", [], "/document"],
    ["nothing", undefined, "/document"],
  ])("are refused in the document of another kind: %s", (_name, document, path) => {
    expect(problemsOf(() => Reflect.apply(addDecisionsToSpec, undefined, [document, mount]))).toEqual([
      expect.stringMatching(`^${path} `),
    ]);
  });

  it("are refused with wrong versions, with the place of each", () => {
    expect(problemsOf(() => addDecisionsToSpec(host, { decisions }))).toEqual([
      expect.stringMatching(/^\/versions\/loan-approval is required/),
    ]);
  });
});

function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof DecernError) return error.problems.map(({ path, message }) => `${path} ${message}`);
    throw error;
  }
  return [];
}
