import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createSite, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createServer } from "@decern/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceOptions } from "../../src/service-options.js";
import { launch } from "../browser/browser.js";
import { root } from "../examples/page-examples.js";
import { listening } from "../support/listening.js";
import { settings } from "../support/settings.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "decern-runtimes-"));
const service = createServer({
  ...serviceOptions({ ...settings, apiKeys: { shop: ["key-1"] } }),
  logger: false,
});
/** Serves the built package and the page of the browser, from another origin than the service's. */
const site: Server = createSite((request, response) => {
  const path = request.url ?? "";
  const built = /^\/client\/([a-z-]+\.js)$/.exec(path)?.[1];
  const own = /^\/([a-z-]+\.mjs)$/.exec(path)?.[1];
  response.setHeader(
    "content-type",
    own === undefined && built === undefined ? "text/html" : "text/javascript",
  );
  if (built !== undefined) response.end(readFileSync(join(root, "packages/client/dist", built)));
  else if (own === "exercise.mjs") response.end(readFileSync(join(root, "apps/demo/test/client", own)));
  else
    response.end(
      own === "worker.mjs" ? workerProgram("/client/index.js", "/exercise.mjs") : "<!doctype html>",
    );
});
let serviceUrl: string;
let siteUrl: string;
let closeSite: () => Promise<void>;
/** Programs that npm has. */
let deno: string;
let bun: string;

beforeAll(async () => {
  serviceUrl = await service.listen(0, { host: "127.0.0.1" });
  ({ url: siteUrl, close: closeSite } = await listening(site));
  const packages = ["deno@2.9.6", "bun@1.4.5"];
  // Without scripts: both packages have their program in one of the platform's.
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", ["install", "--prefix", folder, ...flags, ...packages], { cwd: folder, maxBuffer: 1e8 });
  const modules = join(folder, "node_modules");
  deno = join(modules, ".bin/deno");
  const [platform = ""] = readdirSync(join(modules, "@oven"));
  bun = join(modules, "@oven", platform, "bin/bun");

  const library = `file://${root}packages/client/dist/index.js`;
  const calls = `file://${root}apps/demo/test/client/exercise.mjs`;
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "main.mjs"), mainProgram(library, calls));
  writeFileSync(join(folder, "worker.mjs"), workerProgram(library, calls));
  writeFileSync(
    join(folder, "start-worker.mjs"),
    `const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
     worker.onmessage = ({ data }) => { console.log(JSON.stringify(data)); worker.terminate(); };`,
  );
  writeFileSync(
    join(folder, "start-thread.mjs"),
    `import { Worker } from "node:worker_threads"; new Worker(new URL("./main.mjs", import.meta.url));`,
  );
});

afterAll(async () => {
  await closeSite();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function mainProgram(library: string, calls: string): string {
  return `import * as library from ${JSON.stringify(library)};
    import { exercise } from ${JSON.stringify(calls)};
    console.log(JSON.stringify(await exercise(library, ${JSON.stringify(serviceUrl)})));`;
}

function workerProgram(library: string, calls: string): string {
  return `import * as library from ${JSON.stringify(library)};
    import { exercise } from ${JSON.stringify(calls)};
    postMessage(await exercise(library, ${JSON.stringify(serviceUrl)}));`;
}

/** What comes of it, wherever it runs. */
const expected = {
  ok: ["OK", "zero", expect.objectContaining({ score: 0 })],
  invalid: ["INVALID_INPUT", ["/pulse"]],
  unknown: [true, "DECISION_NOT_FOUND", 404, "exercise-2"],
  version: "VERSION_NOT_FOUND",
  refused: [true, "UNAUTHORIZED", 401, "exercise-4"],
  unreachable: [true, "NETWORK_ERROR", undefined, undefined],
  late: "TIMEOUT",
  aborted: [true, "ABORTED", undefined, "aborted"],
};

/** Runs a program, and returns what it printed. */
async function printed(file: string, args: readonly string[]): Promise<unknown> {
  const environment = { PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1" };
  const { stdout } = await run(file, args, { cwd: folder, env: environment });
  // JSON has no `undefined`.
  return JSON.parse(stdout, (_, value) => value ?? undefined);
}

describe("the built package", () => {
  it("works in Node, and in a thread of it", async () => {
    expect(await printed(process.execPath, ["main.mjs"])).toEqual(expected);
    expect(await printed(process.execPath, ["start-thread.mjs"])).toEqual(expected);
  });

  it("works in Deno, and in a worker of it", async () => {
    const flags = ["run", "--no-remote", "--allow-net=127.0.0.1", "--allow-read"];
    expect(await printed(deno, [...flags, "main.mjs"])).toEqual(expected);
    expect(await printed(deno, [...flags, "start-worker.mjs"])).toEqual(expected);
  });

  it("works in Bun, and in a worker of it", async () => {
    expect(await printed(bun, ["main.mjs"])).toEqual(expected);
    expect(await printed(bun, ["start-worker.mjs"])).toEqual(expected);
  });

  it("works in Chromium, on a page of another origin and in a worker of it", async () => {
    const browser = await launch();
    const page = await browser.newPage();
    page.setDefaultTimeout(600_000);
    await page.goto(siteUrl);
    const onPage = await page.evaluate(
      `Promise.all([import("/client/index.js"), import("/exercise.mjs")])
        .then(([library, { exercise }]) => exercise(library, ${JSON.stringify(serviceUrl)}))`,
    );
    expect(onPage).toEqual(expected);
    const inWorker = await page.evaluate(
      `new Promise((resolve, reject) => {
        const worker = new Worker("/worker.mjs", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      })`,
    );
    expect(inWorker).toEqual(expected);
    await browser.close();
  });
});
