import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

// npm and pnpm pack a file of this name, whatever `files` says. The publish test looks at what a registry got.
it("every package has the licence of the project", () => {
  const licence = readFileSync(`${root}/LICENSE`, "utf8");
  for (const name of readdirSync(`${root}/packages`))
    expect(readFileSync(`${root}/packages/${name}/LICENSE`, "utf8"), name).toBe(licence);
});

it("every package that is published has its change log in it", () => {
  const paths = ["packages", "apps"].flatMap((group) =>
    readdirSync(`${root}/${group}`).map((name) => `${group}/${name}`),
  );
  for (const path of paths) {
    const manifest = JSON.parse(readFileSync(`${root}/${path}/package.json`, "utf8"));
    if (manifest.private !== true) expect(manifest.files, path).toContain("CHANGELOG.md");
  }
});
