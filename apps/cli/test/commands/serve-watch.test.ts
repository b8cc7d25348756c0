import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, expect, it } from "vitest";
import { startDecern } from "../support/decern.js";

const folder = mkdtempSync(join(tmpdir(), "decern-watch-"));
let child: ReturnType<typeof startDecern> | undefined;
afterEach(() => child?.kill("SIGKILL"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const packageUrl = (path: string): string =>
  JSON.stringify(new URL(`../../node_modules/${path}`, import.meta.url).href);

writeFileSync(
  join(folder, "decisions.mjs"),
  `import { existsSync, readFileSync } from "node:fs";
  import { setTimeout } from "node:timers/promises";
  import { defineDecision } from ${packageUrl("@decern/core/dist/index.js")};
  import { z } from ${packageUrl("zod/index.js")};
  import { least } from "./least.mjs";
  const name = readFileSync(new URL("./name.txt", import.meta.url), "utf8");
  export const decisions = [
    defineDecision({
      id: "adult",
      version: "1.0.0",
      inputSchema: z.object({ age: z.number(), file: z.string().optional() }),
      outputSchema: z.object({ name: z.string() }),
      profileSchema: z.object({}),
      rules: [{ id: "of-age", when: (input) => input.age >= least, emit: () => ({ name }) }],
    }),
  ];
  export const server = {
    hooks: {
      async beforeEvaluate({ input }) {
        while (input.file !== undefined && !existsSync(input.file)) await setTimeout(20);
      },
    },
  };\n`,
);
const least = (years: string) => writeFileSync(join(folder, "least.mjs"), `export const least = ${years};\n`);
const name = (content: string) => writeFileSync(join(folder, "name.txt"), content);

/** Evaluates over a connection of its own, which finds out whether the port is open. */
async function ask(url: string, input: object): Promise<string> {
  const options = { method: "POST", agent: false, headers: { "content-type": "application/json" } };
  const sent = request(`${url}/decisions/adult`, options).end(JSON.stringify({ input }));
  const [response] = await once(sent, "response");
  const { status, data } = JSON.parse(await text(response));
  return status === "OK" ? data.name : status;
}

it("replaces the module when a file of it changes, and keeps the last good one, on a port that stays open", async () => {
  least("18");
  name("first");
  child = startDecern(["serve", "decisions.mjs", "--port", "0", "--watch"], { cwd: folder });
  const { stderr: stream } = child;
  let stderr = "";
  stream.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, "close");
  await expect.poll(() => child?.exitCode !== null || /API: +http/.test(stderr)).toBe(true);
  const url = /API: +(http\S+?)\/decisions/.exec(stderr)?.[1] ?? stderr;
  const of = async (age: number) => await ask(url, { age });
  expect({ 17: await of(17), 18: await of(18) }).toEqual({ 17: "NO_MATCH", 18: "first" });

  let asks = true;
  const all = (async () => {
    for (; asks; ) await of(1);
  })();
  const slow = ask(url, { age: 18, file: join(folder, "go") });

  // A file that the module imports. The call that waits keeps what it started with.
  least("20");
  await expect.poll(() => of(19)).toBe("NO_MATCH");
  writeFileSync(join(folder, "go"), "");
  expect(await slow).toBe("first");

  least("20;\nnot JavaScript");
  await expect.poll(() => stderr).toContain("still serving the module as it was before the change");
  expect({ 19: await of(19), 20: await of(20) }).toEqual({ 19: "NO_MATCH", 20: "first" });
  expect(stderr.match(/cannot load/g)).toHaveLength(1);

  // Loading never ends, until the file is changed again.
  least("await new Promise((done) => setTimeout(done, 1e8))");
  await new Promise((done) => setTimeout(done, 1000));
  least("21");
  await expect.poll(() => of(20)).toBe("NO_MATCH");

  // A file that it reads.
  name("second");
  await expect.poll(() => of(21)).toBe("second");
  asks = false;
  await all;

  child.kill("SIGTERM");
  await ended;
  expect(child.exitCode).toBe(0);
  await expect(of(21)).rejects.toThrow(/ECONNREFUSED/);
});

it("exits with 1 if the module does not load at the start", async () => {
  least("18;\nnot JavaScript");
  child = startDecern(["serve", "decisions.mjs", "--port", "0", "--watch"], { cwd: folder });
  const said = text(child.stderr);
  await once(child, "close");
  expect(child.exitCode).toBe(1);
  expect(await said).toMatch(/^decern: cannot load decisions\.mjs: .*\n$/);
});
