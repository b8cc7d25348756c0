import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = readdirSync(`${root}/packages`);

interface Report {
  readonly name: string;
  readonly files: readonly { readonly path: string }[];
}

/** The files that npm would pack for every package, found without network access or scripts. */
function packed(): readonly Report[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
  const paths = folders.map((name) => `./packages/${name}`);
  const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
  return JSON.parse(execFileSync("npm", [...args, ...paths], { cwd: root, encoding: "utf8", stdio }));
}

it("every package is published with the licence of the project, and Swagger UI with its own", () => {
  const reports = packed();
  expect(reports.map(({ name }) => name).toSorted()).toEqual(folders.map((name) => `@decern/${name}`));
  for (const { name, files } of reports)
    expect(
      files.map(({ path }) => path),
      name,
    ).toContain("LICENSE");
  const licence = readFileSync(`${root}/LICENSE`, "utf8");
  for (const name of folders) expect(readFileSync(`${root}/packages/${name}/LICENSE`, "utf8")).toBe(licence);
  const openapi = reports.find(({ name }) => name === "@decern/openapi");
  expect(openapi?.files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["swagger-ui/LICENSE", "swagger-ui/NOTICE", "swagger-ui/swagger-ui-bundle.js"]),
  );
}, 300_000);
