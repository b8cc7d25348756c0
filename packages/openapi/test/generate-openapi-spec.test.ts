import { DecernError, defineDecision, type Schema, type ServiceDescription } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { generateOpenAPISpec, type OpenAPIDocument, type OperationObject } from "../src/index.js";
import { withoutReferences } from "./support/document-references.js";
import { plainSchema } from "./support/plain-schema.js";
import { decisionOf, info, zoo } from "./support/zoo.js";

const full = {
  metricsEndpoint: "/metrics",
  openapiEndpoint: "/openapi.json",
  swaggerEndpoint: "/swagger",
} as const;
const security = { name: "apiKey", scheme: { type: "apiKey", in: "header", name: "x-api-key" } } as const;
const loan = zoo.slice(0, 1);

function operations(document: OpenAPIDocument): Readonly<Record<string, OperationObject>> {
  return Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, { get, post }]) => [
      ...(get === undefined ? [] : [[`GET ${path}`, get]]),
      ...(post === undefined ? [] : [[`POST ${path}`, post]]),
    ]),
  );
}

function statuses(document: OpenAPIDocument, operation: string): readonly string[] {
  return Object.keys(operations(document)[operation]?.responses ?? {}).toSorted();
}

describe("routes", () => {
  it("are those of the standalone server", () => {
    expect(Object.keys(operations(generateOpenAPISpec(loan, info))).toSorted()).toEqual([
      "GET /",
      "GET /decisions",
      "GET /decisions/{id}/endpoint-schema",
      "GET /decisions/{id}/schema",
      "GET /docs",
      "GET /health/live",
      "GET /health/ready",
      "POST /decisions/loan-approval",
    ]);
  });

  it("include the service's optional routes, at their paths", () => {
    const document = generateOpenAPISpec(loan, info, { ...full, metricsEndpoint: "/internal/metrics" });
    const { get: metrics } = document.paths["/internal/metrics"] ?? {};
    expect(metrics?.responses["200"]).toHaveProperty(["content", "text/plain"]);
    expect(document.paths).toHaveProperty(["/openapi.json", "get"]);
    expect(document.paths["/swagger"]?.get?.responses["200"]).toHaveProperty(["content", "text/html"]);
  });

  it("leave out the docs page when it is off", () => {
    expect(generateOpenAPISpec(loan, info, { docs: false }).paths).not.toHaveProperty(["/docs"]);
  });

  it("have one operation per decision, named after it", () => {
    const { paths } = generateOpenAPISpec(zoo, info);
    for (const { id, version } of zoo) {
      expect(paths[`/decisions/${id}`]?.post).toMatchObject({
        "x-decision-id": id,
        "x-decision-version": version,
      });
    }
    expect(paths["/decisions/loan-approval"]?.post?.operationId).toBe("evaluateLoanApproval");
    expect(paths["/decisions/__proto__"]?.post?.operationId).toBe("evaluateProto");
  });
});

describe("status codes", () => {
  const everywhere = ["200", "405", "408", "431", "500"];

  it.each([
    ["POST /decisions/loan-approval", ["400", "403", "404", "413", "414", "415", "503", "default"]],
    ["GET /decisions/{id}/schema", ["304", "400", "404", "414", "503"]],
    ["GET /decisions/{id}/endpoint-schema", ["304", "400", "404", "414", "503"]],
    ["GET /decisions", ["304", "503"]],
    ["GET /openapi.json", ["304", "503"]],
    ["GET /swagger", ["304", "503"]],
    ["GET /docs", ["304", "503"]],
    ["GET /health/ready", ["503"]],
    // Health and metrics stay available under load and while the server closes.
    ["GET /", ["303"]],
    ["GET /health/live", []],
    ["GET /metrics", []],
  ])("of %s are those that it can return", (operation, more) => {
    const document = generateOpenAPISpec(loan, info, full);
    expect(statuses(document, operation)).toEqual([...everywhere, ...more].toSorted());
  });

  it("include refusals where authentication is required", () => {
    const document = generateOpenAPISpec(loan, info, { ...full, security });
    expect(statuses(document, "GET /decisions")).toEqual(
      [...everywhere, "304", "401", "403", "503", "default"].toSorted(),
    );
    expect(document.components.responses["Unauthorized"]).toHaveProperty(["headers", "www-authenticate"]);
  });

  it("have their headers", () => {
    const { components, paths } = generateOpenAPISpec(loan, info, full);
    const headersOf = (name: string) => Object.keys(components.responses[name]?.headers ?? {});
    expect(headersOf("MethodNotAllowed")).toEqual(["x-request-id", "allow"]);
    expect(headersOf("Unavailable")).toEqual(["x-request-id", "retry-after"]);
    expect(headersOf("NotModified")).toEqual(["x-request-id", "etag"]);
    expect(paths["/decisions"]?.get?.responses["200"]).toHaveProperty(["headers", "etag"]);
    expect(paths["/"]?.get?.responses["200"]).not.toHaveProperty(["headers", "etag"]);
    for (const response of Object.values(components.responses)) {
      expect(response.headers).toHaveProperty(["x-request-id"]);
    }
  });

  it("have a body, except 304", () => {
    const { responses } = generateOpenAPISpec(loan, info, { ...full, security }).components;
    const bare = Object.entries(responses).flatMap(([name, { content }]) =>
      content === undefined ? [name] : [],
    );
    expect(bare).toEqual(["NotModified"]);
  });
});

describe("security", () => {
  const secured = (publicMetrics?: boolean) =>
    generateOpenAPISpec(loan, info, { ...full, security, publicMetrics });

  it("is required everywhere except for probes and pages that a browser opens", () => {
    const document = secured();
    expect(document.components.securitySchemes).toEqual({ apiKey: security.scheme });
    expect(document.security).toEqual([{ apiKey: [] }]);
    const open = Object.entries(operations(document)).filter(([, { security: own }]) => own?.length === 0);
    expect(open.map(([name]) => name).toSorted()).toEqual([
      "GET /",
      "GET /docs",
      "GET /health/live",
      "GET /health/ready",
      "GET /swagger",
    ]);
    for (const [name, { responses }] of Object.entries(operations(document))) {
      expect("401" in responses, name).toBe(!open.some(([other]) => other === name));
    }
  });

  it("leaves the metrics page open if it is public", () => {
    expect(operations(secured(true))["GET /metrics"]?.security).toEqual([]);
  });

  it("is absent when the service does not require it", () => {
    const document = generateOpenAPISpec(loan, info, full);
    expect(document.security).toEqual([]);
    expect(document.components).not.toHaveProperty("securitySchemes");
    expect(JSON.stringify(document)).not.toContain("401");
  });
});

describe("an evaluation", () => {
  it("accepts an input and an optional profile", () => {
    const { schemas } = generateOpenAPISpec(loan, info).components;
    expect(schemas["LoanApprovalRequest"]).toEqual({
      type: "object",
      properties: {
        input: { $ref: "#/components/schemas/LoanApprovalInput" },
        profile: { $ref: "#/components/schemas/LoanApprovalProfile" },
      },
      required: ["input"],
    });
    expect(schemas["LoanApprovalProfile"]).toMatchObject({
      properties: { minScore: { type: "integer", default: 620 } },
    });
  });

  it("does not accept a profile if the server does not", () => {
    const document = generateOpenAPISpec(loan, info, { profileOverride: false });
    expect(document.components.schemas["LoanApprovalRequest"]).not.toHaveProperty(["properties", "profile"]);
    expect(document.components.schemas).not.toHaveProperty(["LoanApprovalProfile"]);
    expect(document.components.responses["Forbidden"]).toMatchObject({
      content: { "application/json": { example: { code: "PROFILE_OVERRIDE_FORBIDDEN" } } },
    });
  });

  it("describes the input before validation, and the output after it", () => {
    const trimmed = z.object({ text: z.string().default("x") });
    const { schemas } = generateOpenAPISpec([decisionOf("d", trimmed, trimmed)], info).components;
    expect(schemas["DInput"]).not.toHaveProperty("required");
    expect(schemas["DOutput"]).toMatchObject({ required: ["text"] });
  });

  it("returns an envelope discriminated by its status", () => {
    const { schemas } = generateOpenAPISpec(loan, info).components;
    expect(schemas["LoanApprovalResult"]).toEqual({
      oneOf: [
        { $ref: "#/components/schemas/LoanApprovalOkResult" },
        { $ref: "#/components/schemas/NoMatchResult" },
      ],
      discriminator: {
        propertyName: "status",
        mapping: {
          OK: "#/components/schemas/LoanApprovalOkResult",
          NO_MATCH: "#/components/schemas/NoMatchResult",
        },
      },
    });
    expect(schemas["LoanApprovalOkResult"]).toMatchObject({
      properties: { data: { $ref: "#/components/schemas/LoanApprovalOutput" } },
    });
  });

  it("carries the decision's description as text, and its meta", () => {
    const operation = operations(generateOpenAPISpec(loan, info))["POST /decisions/loan-approval"];
    expect(operation?.description).toBe("Whether, and at which rate, a &lt;b>loan&lt;/b> is granted");
    expect(operation?.["x-decision-meta"]).toEqual({ owner: "credit-risk", tags: ["money"] });
  });

  const requestOf = (inputSchema: Schema, profileSchema: Schema = z.object({ limit: z.number() })) => {
    const decision = defineDecision({
      id: "d",
      version: "1",
      inputSchema,
      outputSchema: z.object({}),
      profileSchema,
      rules: [{ id: "r", when: () => true, emit: () => ({}) }],
    });
    return generateOpenAPISpec([decision], info).paths["/decisions/d"]?.post?.requestBody?.content[
      "application/json"
    ];
  };

  it("includes an example if the schemas provide one", () => {
    const Node = z.object({
      amount: z.number().meta({ examples: [5] }),
      kind: z.literal("car"),
      note: z.string().optional(),
    });
    expect(requestOf(Node)?.example).toEqual({ input: { amount: 5, kind: "car" } });
    expect(requestOf(Node.meta({ id: "Node" }))?.example).toEqual({ input: { amount: 5, kind: "car" } });
    expect(requestOf(Node.meta({ examples: [{ amount: 1, kind: "car" }] }))?.example).toEqual({
      input: { amount: 1, kind: "car" },
    });
    expect(requestOf(Node, z.object({ limit: z.number().default(9) }))?.example).toEqual({
      input: { amount: 5, kind: "car" },
      profile: { limit: 9 },
    });
  });

  it("includes no example if a required part has none", () => {
    expect(requestOf(z.object({ amount: z.number(), kind: z.literal("car") }))).not.toHaveProperty("example");
  });
});

describe("schemas", () => {
  it("turn their definitions into components", () => {
    const { schemas } = generateOpenAPISpec(zoo, info).components;
    expect(schemas["RecursiveInput"]).toMatchObject({
      properties: { children: { items: { $ref: "#/components/schemas/RecursiveInput" } } },
    });
    expect(schemas["PlainDraft07Input"]).toMatchObject({
      properties: {
        node: { allOf: [{ $ref: "#/components/schemas/PlainDraft07InputNode1" }] },
        deep: { $ref: "#/components/schemas/PlainDraft07InputBetween" },
      },
    });
    expect(JSON.stringify(schemas)).not.toMatch(/"#\/(definitions|\$defs)/);
  });

  it("are replaced by their definition when they only refer to it", () => {
    const { schemas } = generateOpenAPISpec(zoo, info).components;
    expect(schemas["NamedInput"]).toMatchObject({
      type: "object",
      properties: { money: { $ref: "#/components/schemas/NamedInputMoney" } },
    });
  });

  it("contain no dangling references", () => {
    const document = generateOpenAPISpec(zoo, info, { ...full, security });
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) =>
      String(path),
    );
    expect(references.length).toBeGreaterThan(300);
    const lost = references.filter((path) => {
      let target: unknown = document;
      for (const token of path.split("/"))
        target = target instanceof Object ? Reflect.get(target, token) : undefined;
      return target === undefined;
    });
    expect(lost).toEqual([]);
  });

  it("are refused if a reference has no target", () => {
    const broken = plainSchema({ "draft-07": { $ref: "#/definitions/Lost" } });
    expect(() => generateOpenAPISpec([decisionOf("d", broken)], info)).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTIONS",
        message: expect.stringContaining('"#/definitions/Lost"'),
      }),
    );
  });
});

describe("the whole document", () => {
  const serverOf = (service: ServiceDescription, readAt: string) => {
    const url = generateOpenAPISpec([], info, service).servers[0]?.url ?? "";
    return new URL(url, `https://host.example${readAt}`).pathname.replace(/\/$/, "");
  };

  it.each([
    [{ openapiEndpoint: "/openapi.json" }, "/openapi.json"],
    [{ openapiEndpoint: "/a/b/openapi.json" }, "/a/b/openapi.json"],
    [{ openapiEndpoint: "/openapi.json", swaggerEndpoint: "/swagger" }, "/swagger/json"],
    [{ openapiEndpoint: "/openapi.json", swaggerEndpoint: "/a/ui" }, "/a/ui/json"],
    [{ swaggerEndpoint: "/swagger", documentPath: "/openapi.json" }, "/openapi.json"],
  ])("with %j has a server URL that works from %s, even behind a prefix", (service, path) => {
    expect(serverOf(service, path)).toBe("");
    expect(serverOf(service, `/some/prefix${path}`)).toBe("/some/prefix");
  });

  it("has a server URL that works beside its UI and anywhere else", () => {
    expect(serverOf(full, full.openapiEndpoint)).toBe("");
    expect(serverOf({}, "/a/b/openapi.json")).toBe("");
  });

  it("is plain data: arguments are not changed, and JSON carries all of it", () => {
    const document = generateOpenAPISpec(zoo, info, { ...full, security });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it("refuses two decisions with the same id, and values that are not decisions", () => {
    const twice = decisionOf("d", z.object({}));
    expect(() => generateOpenAPISpec([twice, twice], info)).toThrow(DecernError);
    expect(() => generateOpenAPISpec([JSON.parse('{"id":"d"}')], info)).toThrow(DecernError);
  });

  it("names ten thousand decisions with colliding ids", () => {
    const input = z.object({ amount: z.number() });
    const many = Array.from({ length: 10_000 }, (_, index) =>
      decisionOf(index % 2 === 0 ? `d-${index}` : `d_${index - 1}`, input),
    );
    const document = generateOpenAPISpec(many, info);
    expect(Object.keys(document.paths).length).toBe(10_007);
    expect(
      new Set(Object.values(document.paths).map(({ post, get }) => (post ?? get)?.operationId)).size,
    ).toBe(10_007);
  });
});

describe("a service that records its calls", () => {
  const path = "/decisions/recorded";
  const documentOf = (service: ServiceDescription) =>
    generateOpenAPISpec([decisionOf("recorded", z.object({}))], info, service);

  it("says which replies to evaluations have the id of a record, and what 503 may be", () => {
    const document = documentOf({ records: true, sheddingLoad: true });
    const { responses } = document.paths[path]?.post ?? { responses: {} };
    const resolved = withoutReferences(responses, document) as Record<string, { headers?: object }>;
    const having = Object.entries(resolved).filter(([, { headers = {} }]) => "decern-record-id" in headers);
    expect(having.map(([status]) => status)).toEqual(["200", "400", "500"]);
    expect(resolved["503"]).toMatchObject({
      headers: { "retry-after": {} },
      content: { "application/json": { example: { code: "RECORD_UNAVAILABLE" } } },
    });
    expect(JSON.stringify(resolved["503"])).toContain("overloaded");
    // Other routes are as they were.
    const listing = document.paths["/decisions"]?.get?.responses["503"];
    expect(listing).toEqual({ $ref: "#/components/responses/Unavailable" });
  });

  it("is described no differently without a log", () => {
    expect(JSON.stringify(documentOf({}))).not.toMatch(/record-id|RECORD_UNAVAILABLE/);
  });
});

describe("a service that explains its answers", () => {
  const one = decisionOf("explained", z.object({}));
  const path = "/decisions/explained";

  it("takes the calls of an evaluation, and refuses them alike", () => {
    const { paths } = generateOpenAPISpec([one], info, { explains: true });
    const { requestBody, responses } = paths[path]?.post ?? {};
    const explain = paths[`${path}/explain`]?.post;
    expect(explain?.requestBody).toEqual(requestBody);
    expect({ ...explain?.responses, "200": 0 }).toEqual({ ...responses, "200": 0 });
    expect(explain?.responses["200"]).toMatchObject({
      content: { "application/json": { schema: { $ref: "#/components/schemas/Explanation" } } },
    });
    expect(explain?.operationId).not.toBe(paths[path]?.post?.operationId);
  });

  it("describes each version, and no other service", () => {
    const two = decisionOf("explained", z.object({}));
    const versions = { explained: { default: two.version } };
    const paths = (explains: boolean) =>
      Object.keys(generateOpenAPISpec([two], info, { explains, versions }).paths);
    expect(paths(true)).toEqual(
      expect.arrayContaining([`${path}/explain`, `${path}/versions/${two.version}/explain`]),
    );
    expect(paths(false).filter((name) => name.endsWith("/explain"))).toEqual([]);
  });
});
