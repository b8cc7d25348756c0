import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Dashboard } from "@grafana/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const grafana = dirname(createRequire(import.meta.url).resolve("@grafana/schema/package.json"));
const text = readFileSync(join(root, "deploy/grafana.json"), "utf8");

const { panels = [] }: Dashboard = JSON.parse(text);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "decern-grafana-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What TypeScript says about a dashboard that is declared with Grafana's own type. */
function problemsOf(dashboard: string): string {
  const config = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      module: "nodenext",
      paths: { "@grafana/schema": [join(grafana, "dist/types/index.d.ts")] },
    },
    files: ["dashboard.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const declared = `import type { Dashboard } from "@grafana/schema";\nexport const dashboard: Dashboard = ${dashboard};\n`;
  writeFileSync(join(folder, "dashboard.ts"), declared);
  try {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8", stdio: "pipe" });
    return "";
  } catch (failed) {
    return String((failed as { stdout?: unknown }).stdout);
  }
}

describe("deploy/grafana.json", () => {
  it("has the type of Grafana's dashboards, which rejects misspelled fields", () => {
    expect(problemsOf(text)).toBe("");
    expect(problemsOf(text.replace('"gridPos"', '"gridPosition"'))).toContain("gridPosition");
    const version = text.replace('"schemaVersion": 39', '"schemaVersion": "39"');
    expect(problemsOf(version)).toContain("'string' is not assignable to type 'number'");
  });

  it("has panels with their own ids and places", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Map<string, string>();
    for (const { title = "", gridPos = { x: 0, y: 0, w: 99, h: 1 } } of panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
          expect(taken.get(`${x} ${y}`), title).toBeUndefined();
          taken.set(`${x} ${y}`, title);
        }
      }
    }
  });

  it("asks the data source that the reader selects", () => {
    const asking = panels.filter(({ type }) => type !== "row");
    for (const { title, datasource } of asking)
      expect(datasource, title).toEqual({
        type: "prometheus",
        uid: expect.stringMatching(/^\$\{datasource\}$/),
      });
  });
});
