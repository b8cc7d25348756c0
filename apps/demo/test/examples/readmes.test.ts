import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { examplesOf, root } from "./page-examples.js";

// In the demo's folder, which can import every package.
const folder = mkdtempSync(resolve(root, "apps/demo/test/examples/.readmes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The `decisions.ts` that examples can import. */
const decisions =
  examplesOf("docs/getting-started.md").find(({ title }) => title === "decisions.ts")?.code ?? "";

/** Runs the first example of a package's README. */
async function run(name: string, change = (code: string) => code) {
  const [example] = examplesOf(`packages/${name}/README.md`);
  const place = mkdtempSync(resolve(folder, `${name}-`));
  const file = resolve(place, "example.ts");
  writeFileSync(resolve(place, "decisions.ts"), decisions);
  writeFileSync(file, change(example?.code ?? ""));
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const module = await import(file);
  return { module, printed: log.mock.calls.map((words) => words.join(" ")) };
}

/** A value that a page shows, in which `…` stands for anything. */
function shownValue(text: string): unknown {
  return JSON.parse(text.replaceAll("{…}", '"…"'), (_key, value: unknown) =>
    value === "…" ? expect.anything() : value,
  );
}

describe("the first example of a README", () => {
  it.each(["core", "metrics", "openapi", "otel", "schema"])("%s prints what it says", async (name) => {
    const text = readFileSync(resolve(root, `packages/${name}/README.md`), "utf8");
    const [, shown] = /^console\.log\(.*\); \/\/ (.*)$/m.exec(text) ?? [];
    const quiet = (code: string) => code.replace(/page\.listen\(\d+\)/, "page.listen(0)");
    const { printed } = await run(name, quiet);
    expect(printed).toEqual([shown]);
  });

  it.each(["adapter-express", "adapter-fastify", "authzen", "ofrep"])(
    "%s serves what curl shows",
    async (name) => {
      const text = readFileSync(resolve(root, `packages/${name}/README.md`), "utf8");
      const [, command = "", shown = ""] = /^(curl [\s\S]*?)\s# (\{.*\})$/m.exec(text) ?? [];
      const { module } = await run(name, (code) =>
        code
          .replace(/^app\.listen\(3000\);/m, "export const listening = app.listen(0);")
          .replace(
            /^await (app|server)\.listen\((.*)3000(.*)\);.*$/m,
            "export const address = await $1.listen($20$3);",
          )
          .replace(/^process\.once.*$/m, "")
          .replace("logger: true", "logger: false")
          .replace(/^const server =/m, "export const server ="),
      );
      onTestFinished(() => (module.listening ?? module.app ?? module.server).close());
      const address = module.address ?? `http://localhost:${module.listening.address().port}`;
      const [, path = ""] = /localhost:3000(\S+)/.exec(command) ?? [];
      const [, header = "", value = ""] = /-H '([^:]+): ([^']+)'/.exec(command) ?? [];
      const [, body] = /-d '([^']+)'/.exec(command) ?? [];
      const method = body === undefined ? "GET" : "POST";
      const response = await fetch(address + path, {
        method,
        headers: { [header]: value },
        body: body ?? null,
      });
      expect(await response.json()).toEqual(shownValue(shown));
    },
  );
});
