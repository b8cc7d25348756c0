// Checks that no test fails only because a machine is slow, and that each security claim names a test. `pnpm run lint` runs it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const read = (path) => readFileSync(root + path, "utf8");
const problems = [];

/** The shortest time-out that a test may set. That of unit tests is twice as long. */
const leastLimitMs = 60_000;

const clock = /\b(?:performance\.now|Date\.now|hrtime|cpuUsage)\b/;
const comparison = /\.to(?:BeLessThan|BeGreaterThan|BeCloseTo)/;

/** The parts of a test that would fail on a slower machine. */
function judgementsOfTime(source) {
  const code = source.replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, "");
  const times = [...code.matchAll(/\b(?:const|let) (\w+)(?:: [^=;]+)? = ([^;]*);/g)]
    .filter(([, , value]) => clock.test(value) && !value.includes("=>"))
    .map(([, name]) => new RegExp(`\\b${name}\\b`));
  const isTime = (text) => clock.test(text) || times.some((time) => time.test(text));
  const assertions = [...code.matchAll(/\bexpect\([^;]*;/g)].filter(
    ([text]) => comparison.test(text) && isTime(text),
  );
  const limits = [
    /\b(?:timeout|testTimeout|hookTimeout): ([\d_]+)/g,
    /^\}, ([\d_]+)\);/gm,
    /\b(?:AbortSignal\.timeout|setDefaultTimeout|setDefaultNavigationTimeout)\(([\d_]+)\)/g,
  ]
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .filter(([, limit]) => Number(limit.replaceAll("_", "")) < leastLimitMs);
  const races = code.matchAll(/\bPromise\.race\([^;]*\b(?:setTimeout|sleep|delay|pause)\b[^;]*;/g);
  // They time out after a second; `expect.poll` continues as long as the test.
  const waits = code.matchAll(/\bvi\.wait(?:For|Until)\(/g);
  return [...assertions, ...limits, ...races, ...waits].map(([text]) => text);
}

const tests = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => /(?:^|\/)test\/.*\.(?:ts|mjs)$/.test(path) && existsSync(root + path));
for (const path of tests)
  for (const text of judgementsOfTime(read(path))) problems.push(`${path} judges an absolute time: ${text}`);

/** Whether a file has a test, or a group of tests, with exactly this title that isn't skipped. */
function hasTest(source, title) {
  return [JSON.stringify(title), `\`${title}\``, `'${title}'`].some((literal) =>
    source
      .split(literal)
      .slice(0, -1)
      .some((_, index, parts) => isTest(parts.slice(0, index + 1).join(literal))),
  );
}

/** Whether source code ends with a call of `it` or `describe`, or of what their `each` returns. */
function isTest(before) {
  if (!before.trimEnd().endsWith("(")) return false;
  const open = before.trimEnd().slice(0, -1).trimEnd();
  if (/\b(?:it|test|describe)$/.test(open)) return true;
  if (!open.endsWith(")")) return false;
  // The call before starts with a statement at the same indentation.
  const lines = open.split("\n");
  const indent = / */.exec(lines.at(-1))[0];
  const start = lines.findLast((line) => line.startsWith(indent) && /^ *(?:it|test|describe)\b/.test(line));
  return start !== undefined && /^ *(?:it|test|describe)\.each[<(]/.test(start);
}

/** The security claims, each with the files and the exact titles of the tests that it rests on. */
const page = "test/security-claims.json";
const proofs = Object.values(JSON.parse(read(page))).flatMap((claims) => Object.entries(claims));
const claimed = new Set(proofs.flatMap(([, files]) => Object.keys(files)));
for (const [claim, files] of proofs) {
  if (Object.values(files).flat().length === 0) problems.push(`${page} has no test for "${claim}"`);
  for (const [path, titles] of Object.entries(files)) {
    if (titles.length === 0) problems.push(`${page} lists no test of ${path} for "${claim}"`);
    if (!existsSync(root + path)) {
      problems.push(`${page}: there is no ${path}`);
      continue;
    }
    const source = read(path);
    if (/\b(?:it|test|describe)\.(?:skip|todo|only|fails)\b/.test(source))
      problems.push(`${path} leaves tests out`);
    for (const title of titles)
      if (!hasTest(source, title)) problems.push(`${page}: ${path} has no test "${title}"`);
  }
}
for (const path of tests)
  if (/^packages\/server\/test\/security\/.*\.test\.ts$/.test(path) && !claimed.has(path))
    problems.push(`${page} names no test of ${path}`);

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
