import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Root of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** For maintainers, or generated. */
const others = /^(?:\.changeset|docs\/adr|test)\/|\/CHANGELOG\.md$|^bench\/(?!README\.md)/;

/** The pages that users read, relative to the root. */
export const userPages: readonly string[] = filesOf("*.md").filter((path) => !others.test(path));

/** Files that match a pattern of Git, new ones included. */
export function filesOf(...patterns: readonly string[]): readonly string[] {
  const options = ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns];
  return execFileSync("git", options, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((path) => path !== "" && existsSync(`${root}/${path}`));
}
