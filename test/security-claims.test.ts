import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}/test/security-claims.md`, "utf8");

interface Claim {
  readonly claim: string;
  readonly path: string;
  readonly title: string;
}

/** Every row that names a test: `| claim | [file](../path) | title |`. An empty claim repeats the one above. */
function readClaims(): readonly Claim[] {
  const claims: Claim[] = [];
  for (const line of page.split("\n")) {
    const [, claim = "", path, title] =
      line.match(/^\| (.*?) ?\| \[[^\]]+\]\(\.\.\/([^)]+)\) \| (.+) \|$/) ?? [];
    if (path === undefined || title === undefined) continue;
    claims.push({
      claim: claim === "" ? (claims.at(-1)?.claim ?? "") : claim,
      path,
      title: withoutEscapes(title),
    });
  }
  return claims;
}

/** Removes Markdown escapes. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\([\\`*_{}[\]<>()#+.!|-])/g, "$1");
}

/** Whether a file has a test, or a group of tests, with exactly this title that is not skipped. */
function hasTest(source: string, title: string): boolean {
  const literals = [JSON.stringify(title), `\`${title}\``, `'${title}'`];
  return literals.some((literal) => {
    for (let at = source.indexOf(literal); at >= 0; at = source.indexOf(literal, at + 1)) {
      const before = source.slice(0, at).trimEnd();
      const after = source.slice(at + literal.length).trimStart();
      if (before.endsWith("(") && after.startsWith(",") && callee(before) !== undefined) return true;
    }
    return false;
  });
}

/** The function that is called: `it`, `describe`, or the result of `.each(…)`; `undefined` if it is skipped. */
function callee(before: string): string | undefined {
  const open = before.slice(0, -1).trimEnd();
  if (/\b(?:it|test|describe)$/.test(open)) return open;
  if (!open.endsWith(")")) return undefined;
  // The preceding call starts with a statement at the same indentation.
  const lines = open.split("\n");
  const indent = lines.at(-1)?.match(/^ */)?.[0] ?? "";
  const start = lines.findLast((line) => line.startsWith(indent) && /^ *(?:it|test|describe)\b/.test(line));
  return start !== undefined && /^ *(?:it|test|describe)\.each[<(]/.test(start) ? start : undefined;
}

const claims = readClaims();

describe("test/security-claims.md", () => {
  it("makes claims, each backed by a test", () => {
    expect(claims.length).toBeGreaterThan(60);
    // A row in another format would not be checked.
    const rows = page.split("\n").filter((line) => /^\|.*\.ts\b/.test(line));
    expect(rows).toHaveLength(claims.length);
    expect(claims.filter(({ claim }) => claim.length < 10)).toEqual([]);
  });

  it.each(claims)("$claim — $path: $title", ({ path, title }) => {
    expect(existsSync(`${root}/${path}`), `there is no ${path}`).toBe(true);
    const source = readFileSync(`${root}/${path}`, "utf8");
    expect(hasTest(source, title), `${path} has no test "${title}"`).toBe(true);
    expect(source, `${path} leaves tests out`).not.toMatch(
      /\b(?:it|test|describe)\.(?:skip|todo|only|fails)\b/,
    );
  });

  it("names every test of packages/server/test/security", () => {
    const folder = "packages/server/test/security";
    const tests = readdirSync(`${root}/${folder}`).filter((name) => name.endsWith(".test.ts"));
    expect(tests.filter((name) => !claims.some(({ path }) => path === `${folder}/${name}`))).toEqual([]);
  });

  it("links only to files that exist", () => {
    const links = [...page.matchAll(/\]\((\.\.?\/[^)#]+)[^)]*\)/g)].map(([, link]) => `test/${link}`);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !existsSync(`${root}/${link}`))).toEqual([]);
  });
});

describe("the check itself", () => {
  it("detects a test that was removed, renamed or skipped", () => {
    const source = `
it("is there", () => {});
it.each([
  ["a", 1],
  ["b", 2],
])("is %s", () => {});
it.each<string>(names)(
  "is on a line of its own",
  () => {},
);
describe.each(versions)("a group", () => {});
it.skip("is skipped", () => {});
it.skip.each([
  ["a", 1],
])("is skipped each", () => {});
const text = f("is only a text");
expect(g()).toBe("is expected");
// it("is a comment
`;
    for (const title of ["is there", "is %s", "is on a line of its own", "a group"]) {
      expect(hasTest(source, title), title).toBe(true);
    }
    for (const title of [
      "is not there",
      "is the",
      "is skipped",
      "is skipped each",
      "is only a text",
      "is expected",
      "is a comment",
    ]) {
      expect(hasTest(source, title), title).toBe(false);
    }
  });
});
