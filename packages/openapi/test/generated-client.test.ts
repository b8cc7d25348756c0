import openapiTS, { astToString } from "openapi-typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { compile, orvalClient } from "../../../test/suites/generated-client.js";
import { generateOpenAPISpec } from "../src/index.js";
import { clientProgram } from "./support/client-program.js";
import { orvalProgram } from "./support/orval-program.js";
import { info, zoo } from "./support/zoo.js";

const document = JSON.stringify(
  generateOpenAPISpec(zoo, info, {
    metricsEndpoint: "/metrics",
    // Its requests then have keywords that no type can say.
    callerProfiles: { "loan-approval": ["strict"] },
    openapiEndpoint: "/openapi.json",
    swaggerEndpoint: "/swagger",
    security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: "x-api-key" } },
  }),
);

function errorsIn(report: string): readonly string[] {
  return [...report.matchAll(/error TS\d+/g)].map(([error]) => error);
}

describe("types that openapi-typescript generates", () => {
  let types: string;
  beforeAll(async () => {
    // Fields with a default may be left out of a request.
    types = astToString(await openapiTS(document, { defaultNonNullable: false }));
  });

  it("compile and are right", async () => {
    expect(await compile({ "zoo.ts": types, "program.ts": clientProgram })).toBe("");
  });

  it("do not compile with a wrong assertion", async () => {
    const wrong = clientProgram
      .replace('"low" | "high">', '"low" | "middle">')
      .replace("{ dash: string }", "{ dot: string }");
    expect(errorsIn(await compile({ "zoo.ts": types, "program.ts": wrong })).length).toBe(2);
  });
});

describe("a client that orval generates", () => {
  let client: string;
  beforeAll(async () => {
    client = await orvalClient(JSON.parse(document));
  });

  it("compiles, and its types are right", async () => {
    expect(await compile({ "zoo.ts": client, "program.ts": orvalProgram })).toBe("");
  });

  it("would not compile a claim that is wrong", async () => {
    const wrong = orvalProgram.replace('"low" | "high">', '"low" | "middle">').replace("[] | null>", "[]>");
    expect(errorsIn(await compile({ "zoo.ts": client, "program.ts": wrong })).length).toBe(2);
  });
});
