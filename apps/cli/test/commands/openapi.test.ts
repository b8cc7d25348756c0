import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, describe, expect, it } from "vitest";
import { decern } from "../support/decern.js";

const support = fileURLToPath(new URL("../support/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "decern-openapi-"));
symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function module(name: string, server: string): string {
  const path = join(folder, name);
  const text = `import { openapi } from "@decern/openapi";
export * from "${support}loans.mjs";
export const server = ${server};
`;
  writeFileSync(path, text);
  return path;
}

async function document(path: string) {
  const { code, stdout, stderr } = await decern(["openapi", path]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("decern openapi", () => {
  it("prints a valid document of everything that the server serves, though its callers need a key", async () => {
    const printed = await document(join(support, "loans.mjs"));
    const { valid, errors } = await new Validator().validate(printed);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(Object.keys(printed.paths)).toEqual(
      expect.arrayContaining([
        "/decisions/loan",
        "/decisions/loan/versions/2.0.0",
        "/decisions/with-loan",
        "/metrics",
      ]),
    );
    expect(printed.components.securitySchemes).toEqual({
      apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
    });
  });

  it("prints the same bytes each time", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => decern(["openapi", join(support, "loans.mjs")])),
    );
    expect(first?.stdout).toBe(second?.stdout);
  });

  it("follows the server options of the module", async () => {
    const path = module(
      "titled.mjs",
      '{ openapi: openapi({ enabled: true, endpoint: "/api.json", info: { title: "Loans" } }), profileOverride: false }',
    );
    expect(await document(path)).toMatchObject({ info: { title: "Loans" } });
    const off = module("off.mjs", "{ openapi: openapi({ enabled: false }), metrics: { enabled: false } }");
    expect(Object.keys((await document(off)).paths)).not.toContain("/metrics");
  });

  it("exits with 1 for server options that are wrong, with one sentence", async () => {
    const { code, stdout, stderr } = await decern(["openapi", module("wrong.mjs", "{ prot: 3000 }")]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^decern: wrong\.mjs: Invalid options: \/prot[^\n]*\n$/);
  });
});
