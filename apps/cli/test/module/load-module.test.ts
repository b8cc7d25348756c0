import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { decernProcess } from "../support/decern.js";
import { javascriptStyles, typescriptStyles, writeStyle } from "../support/module-styles.js";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "decern-modules-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Node itself tells a project to have a type in its package.json.
const env = { NODE_OPTIONS: "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON" };

let count = 0;
function place(): string {
  count += 1;
  return join(folder, String(count));
}

describe.each([
  ["TypeScript", typescriptStyles],
  ["JavaScript", javascriptStyles],
])("a module in %s", (_language, styles) => {
  it.each(styles.map((style) => [style.name, style] as const))("%s", async (_name, style) => {
    const project = place();
    writeStyle(style, project, packages);
    // From elsewhere: the folder of the command has nothing to do with how the module is compiled.
    const module = join(project, style.module);
    const ended = await decernProcess(["eval", module, "adult"], { cwd: "/", env, input: '{"age":18}' });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: "OK", meta: { matchedRule: "of-age" } });
  });
});

describe("a module that cannot be used", () => {
  const project = place();
  const [style] = javascriptStyles;
  if (style === undefined) throw new Error("there is no style");
  writeStyle(style, project, packages);
  const file = (name: string, text: string): string => {
    writeFileSync(join(project, name), text);
    return name;
  };

  it.each([
    ["that is not there", "gone.ts", /^cannot find gone\.ts$/],
    ["that is a folder", ".", /^\. is a folder; name the module in it$/],
    ["with a mistake in JavaScript", file("mistake.js", "export const ="), /^cannot load mistake\.js: /],
    [
      "with a mistake in TypeScript",
      file("mistake.ts", "export const decisions: = [];"),
      /^cannot load mistake\.ts: .*mistake\.ts:1:/,
    ],
    [
      "that throws",
      file("throws.js", 'throw new Error("no licence");'),
      /^cannot load throws\.js: no licence$/,
    ],
    ["that throws a text", file("text.js", 'throw "no licence";'), /^cannot load text\.js: no licence$/],
    ["that imports nothing", file("import.js", 'import "./none.js";'), /^cannot load import\.js: .*none\.js/],
    ["without decisions", file("empty.js", "export const x = 1;"), /^empty\.js does not export "decisions"/],
    [
      "with one decision",
      file("one.js", "export const decisions = {};"),
      /^one\.js: "decisions" must be a list$/,
    ],
    [
      "with something else in its list",
      file(
        "other.js",
        'import { decisions as d } from "./decisions.js"; export const decisions = [...d, {}];',
      ),
      /^other\.js: decisions\[1\] is not a decision; make it with defineDecision$/,
    ],
    [
      "with profiles of nobody",
      file("profiles.js", 'export * from "./decisions.js"; export const profiles = { child: {} };'),
      /^profiles\.js: Invalid options: \/profiles\/child: does not belong to any decision$/,
    ],
    [
      "with wrong versions",
      file(
        "versions.js",
        'export * from "./decisions.js"; export const versions = { adult: { default: "9" } };',
      ),
      /^versions\.js: Invalid options: \/versions\/adult\/default/,
    ],
    [
      "with server options that are none",
      file("server.js", 'export * from "./decisions.js"; export const server = 5;'),
      /^server\.js: "server" must be an object of options$/,
    ],
  ])("%s: one sentence and exit code 1", async (_what, module, sentence) => {
    const { code, stdout, stderr } = await decernProcess(["eval", module, "adult"], {
      cwd: project,
      input: "{}",
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^decern: [^\n]+\n$/);
    expect(stderr.slice("decern: ".length).trimEnd()).toMatch(sentence);
  });
});
