import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateOpenAPISpec } from "../src/index.js";
import { clientProgram } from "./support/client-program.js";
import { info, zoo } from "./support/zoo.js";

const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
const flags = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--types", ""];
let directory: string;

async function compile(program: string): Promise<string> {
  await writeFile(join(directory, "program.ts"), program);
  try {
    await promisify(execFile)(process.execPath, [tsc, ...flags, "program.ts"], { cwd: directory });
    return "";
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}

describe("types that openapi-typescript generates", () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "decern-client-"));
    const document = generateOpenAPISpec(zoo, info, {
      metricsEndpoint: "/metrics",
      openapiEndpoint: "/openapi.json",
      swaggerEndpoint: "/swagger",
      security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: "x-api-key" } },
    });
    // What has a default need not be sent.
    const types = await openapiTS(JSON.stringify(document), { defaultNonNullable: false });
    await writeFile(join(directory, "zoo.ts"), astToString(types));
    await writeFile(join(directory, "package.json"), '{ "type": "module" }');
  });
  afterAll(() => rm(directory, { recursive: true }));

  it("compile and are right", async () => {
    expect(await compile(clientProgram)).toBe("");
  });

  it("would not compile a claim that is wrong", async () => {
    const wrong = clientProgram
      .replace('"low" | "high">', '"low" | "middle">')
      .replace("{ dash: string }", "{ dot: string }");
    expect([...(await compile(wrong)).matchAll(/error TS\d+/g)].length).toBe(2);
  });
});
