import { DecernError, type Decision, defineDecision, type ServiceDescription } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compile, orvalClient } from "../../../test/suites/generated-client.js";
import { generateOpenAPISpec, type OperationObject } from "../src/index.js";
import { lint, validate } from "./support/document-judges.js";
import { decisionOf, info, zoo } from "./support/zoo.js";

function version(id: string, name: string, field: string): Decision {
  return defineDecision({
    id,
    version: name,
    inputSchema: z.object({ [field]: z.number() }),
    outputSchema: z.object({ [field]: z.boolean() }),
    profileSchema: z.object({}),
    rules: [{ id: "always", when: () => true, emit: () => ({ [field]: true }) }],
  });
}

const decisions = [
  version("loan-approval", "1.1.0", "old"),
  version("loan-approval", "1.2.0", "current"),
  version("loan-approval", "2.0.0", "next"),
  version("access", "1.0.0", "alone"),
];
const versions = {
  "loan-approval": {
    default: "1.2.0",
    deprecated: {
      "1.1.0": {
        since: "2026-01-01T00:00:00Z",
        sunset: new Date("2027-01-01T00:00:00Z"),
        link: "https://loans.example/1.1",
      },
    },
    retired: ["0.9.0"],
  },
} as const;
const document = generateOpenAPISpec(decisions, info, { versions });
const post = (path: string): OperationObject | undefined => document.paths[path]?.post;

describe("the document of three versions of a decision", () => {
  const security = { name: "apiKey", scheme: { type: "apiKey", in: "header", name: "x-api-key" } };

  it.each<[string, ServiceDescription]>([
    ["in an open service", { versions }],
    ["in a service with authentication", { versions, security, profileOverride: false }],
    [
      "in a service that offers profiles by name",
      { versions, callerProfiles: { "loan-approval": ["strict"] } },
    ],
    ["beside the zoo", { versions }],
  ])("is valid, and a linter finds nothing, %s", async (name, service) => {
    const others = name === "beside the zoo" ? zoo.filter(({ id }) => id !== "loan-approval") : [];
    const written = generateOpenAPISpec([...decisions, ...others], info, service);
    expect(await validate(written)).toEqual([]);
    expect(await lint(written)).toEqual([]);
  });

  it("has the paths of each version that is served", () => {
    const pinned = ["1.1.0", "1.2.0", "2.0.0"].flatMap((name) =>
      ["", "/schema", "/endpoint-schema"].map((end) => `/decisions/loan-approval/versions/${name}${end}`),
    );
    const paths = Object.keys(document.paths).filter((path) => path.startsWith("/decisions/loan-approval"));
    expect(paths.toSorted()).toEqual(
      ["/decisions/loan-approval", "/decisions/loan-approval/versions", ...pinned].toSorted(),
    );
    expect(Object.keys(document.paths).filter((path) => path.startsWith("/decisions/access"))).toEqual([
      "/decisions/access",
    ]);
    expect(document.paths["/decisions/loan-approval/versions"]?.get?.responses["200"]).toMatchObject({
      description: "The versions. Retired: 0.9.0.",
    });
  });

  it("evaluates the default under the id, with the names that it has without versions", () => {
    expect(post("/decisions/loan-approval")).toMatchObject({
      operationId: "evaluateLoanApproval",
      "x-decision-version": "1.2.0",
    });
    const { schemas } = document.components;
    expect(schemas["LoanApprovalInput"]).toHaveProperty(["properties", "current"]);
    expect(schemas["LoanApprovalV1_1_0Input"]).toHaveProperty(["properties", "old"]);
    expect(schemas["LoanApprovalV2_0_0Output"]).toHaveProperty(["properties", "next"]);
    expect(schemas).not.toHaveProperty("LoanApprovalV1_2_0Input");
    const body = (path: string) => post(path)?.requestBody?.content["application/json"]?.schema;
    expect(body("/decisions/loan-approval/versions/1.2.0")).toEqual(body("/decisions/loan-approval"));
    expect(body("/decisions/loan-approval/versions/2.0.0")).toEqual({
      $ref: "#/components/schemas/LoanApprovalV2_0_0Request",
    });
  });

  it("says where a version may be unknown or retired", () => {
    for (const end of ["", "/schema", "/endpoint-schema"]) {
      const item = document.paths[`/decisions/loan-approval/versions/1.1.0${end}`];
      expect((item?.post ?? item?.get)?.responses).toMatchObject({
        "404": { $ref: "#/components/responses/VersionNotFound" },
        "410": { $ref: "#/components/responses/VersionRetired" },
      });
    }
    expect(post("/decisions/loan-approval")?.responses).not.toHaveProperty("410");
    const { VersionNotFound, VersionRetired } = document.components.responses;
    expect(VersionNotFound).toHaveProperty(
      ["content", "application/json", "example", "code"],
      "VERSION_NOT_FOUND",
    );
    expect(VersionRetired).toHaveProperty(
      ["content", "application/json", "example", "code"],
      "VERSION_RETIRED",
    );
  });

  it("lists the profiles that callers may name, for each version of that decision alone", () => {
    const callerProfiles = { "loan-approval": ["strict", "lenient"] };
    const { components } = generateOpenAPISpec(decisions, info, { versions, callerProfiles });
    const named = (schema: string): unknown =>
      Object(components.schemas[schema]).properties.profileName?.enum;
    for (const schema of ["LoanApprovalRequest", "LoanApprovalV1_1_0Request", "LoanApprovalV2_0_0Request"])
      expect({ schema, named: named(schema) }).toEqual({ schema, named: ["strict", "lenient"] });
    expect(named("AccessRequest")).toBeUndefined();
  });

  it("marks deprecated versions, and describes the headers that they send", () => {
    const old = post("/decisions/loan-approval/versions/1.1.0");
    expect(old?.deprecated).toBe(true);
    expect(old?.description).toBe(
      "Deprecated since 2026-01-01. It will be retired on 2027-01-01. See https://loans.example/1.1",
    );
    expect(old?.responses["200"]).toMatchObject({
      headers: {
        deprecation: { $ref: "#/components/headers/Deprecation" },
        sunset: { $ref: "#/components/headers/Sunset" },
        link: { $ref: "#/components/headers/Link" },
      },
    });
    for (const path of ["/decisions/loan-approval", "/decisions/loan-approval/versions/2.0.0"]) {
      expect(post(path)).not.toHaveProperty("deprecated");
      expect(post(path)?.responses["200"]).not.toHaveProperty(["headers", "deprecation"]);
    }
  });

  it("marks the default, too, and leaves out headers that are not sent", async () => {
    const deprecated = { "1.2.0": { since: "2026-01-01" } };
    const written = generateOpenAPISpec(decisions, info, {
      versions: { "loan-approval": { default: "1.2.0", deprecated } },
    });
    for (const path of ["/decisions/loan-approval", "/decisions/loan-approval/versions/1.2.0"]) {
      expect(written.paths[path]?.post?.deprecated).toBe(true);
      expect(written.paths[path]?.post?.responses["200"]).not.toHaveProperty(["headers", "sunset"]);
    }
    expect(await lint(written)).toEqual([]);
  });

  it("is one from which orval generates a client that compiles", async () => {
    const program = `
      import { evaluateLoanApproval, evaluateLoanApprovalV200, type LoanApprovalV200Input } from "./client.js";
      const next: LoanApprovalV200Input = { next: 1 };
      export const calls = [evaluateLoanApprovalV200({ input: next }), evaluateLoanApproval({ input: { current: 1 } })];
    `;
    expect(await compile({ "client.ts": await orvalClient(document), "program.ts": program })).toBe("");
  });
});

describe("names in a document with versions", () => {
  const part = fc.constantFrom(
    "1",
    "2",
    "12",
    "a",
    "A",
    ".",
    "-",
    "_",
    "+",
    "{b}",
    "/",
    " ",
    "Endpoint",
    "é",
  );
  const texts = fc
    .array(part, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(""))
    .filter((text) => text.trim() !== "" && text !== "." && text !== "..");

  it("are never used twice, whatever the ids and versions", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom("a", "A", "a-v1", "av", "v", "a-v1-endpoint"), { minLength: 1 }),
        fc.uniqueArray(texts, { minLength: 1, maxLength: 6 }),
        (ids, names) => {
          const given = ids.flatMap((id) => names.map((name) => version(id, name, "field")));
          const service = {
            versions: Object.fromEntries(ids.map((id) => [id, { default: names[0] ?? "" }])),
          };
          const { components, paths } = generateOpenAPISpec(given, info, service);
          const schemas = Object.keys(components.schemas);
          // Generators leave out underscores, and write files on systems that ignore case.
          const plain = schemas.map((name) => name.replaceAll("_", "").toLowerCase());
          expect(new Set(plain).size).toBe(plain.length);
          expect(schemas.filter((name) => !/^[A-Z][A-Za-z0-9_]*$/.test(name))).toEqual([]);
          const operationIds = Object.values(paths)
            .flatMap(({ get, post }) => [get, post])
            .flatMap((operation) => (operation === undefined ? [] : [operation.operationId]));
          expect(new Set(operationIds).size).toBe(operationIds.length);
          // Each version: itself and its two schemas; each id: itself and its list.
          const own = Object.keys(paths).filter((path) => /^\/decisions\/[^{]/.test(path));
          expect(own.length).toBe(ids.length * (names.length * 3 + 2));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("versions that cannot be served", () => {
  const problemsOf = (given: readonly Decision[], service: object): unknown => {
    try {
      generateOpenAPISpec(given, info, service);
    } catch (error) {
      if (error instanceof DecernError)
        return error.problems.map(({ path, message }) => `${path} ${message}`);
      throw error;
    }
    return [];
  };

  it("are refused, with every problem at once", () => {
    const at = "/service/versions";
    expect(
      problemsOf([...decisions, version("access", "1.0.0", "again"), version("dots", "..", "up")], {
        versions: {
          "loan-approval": { default: "3.0.0", deprecated: { "0.1.0": { since: "2026-01-01" } } },
          access: { default: "1.0.0", retired: ["1.0.0"] },
          dots: { default: ".." },
          none: { default: "1.0.0" },
        },
      }),
    ).toEqual([
      expect.stringMatching(/^\/decisions\/4 /),
      expect.stringMatching(`^${at}/loan-approval/default `),
      expect.stringMatching(`^${at}/loan-approval/deprecated/0.1.0 `),
      expect.stringMatching(`^${at}/access/default `),
      expect.stringMatching(`^${at}/dots `),
      expect.stringMatching(`^${at}/none `),
    ]);
  });

  it("are refused beside what is not a decision, each at its place", () => {
    expect(problemsOf([...decisions, JSON.parse('{"id":"d"}')], { versions })).toEqual([
      expect.stringContaining("/decisions/4 "),
    ]);
  });

  it("are refused without a default for each id", () => {
    for (const service of [{ versions: {} }, {}]) {
      expect(problemsOf(decisions, service)).toEqual([
        expect.stringMatching(/^\/service\/versions\/loan-approval is required/),
      ]);
    }
  });

  it.each<[string, unknown, string]>([
    ["a list", [], "/service/versions"],
    ["no default", { d: {} }, "/service/versions/d/default"],
    ["a default that is not text", { d: { default: 1 } }, "/service/versions/d/default"],
    ["an unknown field", { d: { default: "1.0.0", latest: true } }, "/service/versions/d/latest"],
    ["retired text", { d: { default: "1.0.0", retired: "0.9.0" } }, "/service/versions/d/retired"],
    [
      "no date",
      { d: { default: "1.0.0", deprecated: { "1.0.0": {} } } },
      "/service/versions/d/deprecated/1.0.0/since",
    ],
    [
      "a date that is none",
      { d: { default: "1.0.0", deprecated: { "1.0.0": { since: "soon" } } } },
      "/service/versions/d/deprecated/1.0.0/since",
    ],
    [
      "a link that is none",
      { d: { default: "1.0.0", deprecated: { "1.0.0": { since: "2026-01-01", link: "not a link" } } } },
      "/service/versions/d/deprecated/1.0.0/link",
    ],
  ])("are refused with %s", (_name, given, path) => {
    expect(problemsOf([decisionOf("d", z.object({}))], { versions: given })).toEqual([
      expect.stringContaining(`${path} `),
    ]);
  });
});
