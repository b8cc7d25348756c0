import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examplesOf, root } from "./page-examples.js";

const run = promisify(execFile);
// In the demo's folder, which can import every package.
const folder = mkdtempSync(resolve(root, "apps/demo/test/examples/.client-"));

const titled = (page: string, title: string): string => {
  const example = examplesOf(page).find((one) => one.title === title);
  if (example === undefined) throw new Error(`${page} has no ${title}`);
  return example.code;
};

/** What of TanStack's client the tests use. */
interface Queries {
  fetchQuery(query: unknown): Promise<unknown>;
  cancelQueries(filter: { readonly queryKey: unknown }): Promise<void>;
}

/** The pages' files, with a free port. */
let url: string;
let stop: () => Promise<void>;
let QueryClient: new () => Queries;

beforeAll(async () => {
  writeFileSync(resolve(folder, "decisions.ts"), titled("docs/getting-started.md", "decisions.ts"));
  const service = titled("docs/getting-started.md", "server.ts");
  const free = 'export const url = await server.listen(0, { host: "127.0.0.1" });\nexport { server };';
  writeFileSync(resolve(folder, "service.ts"), service.replace("await server.listen(3000);", free));
  const { server, url: address } = await import(resolve(folder, "service.ts"));
  url = address;
  stop = () => server.close();
  // Not imported here: React's types declare an empty `HTMLElement` for every test that is checked with this one.
  writeFileSync(resolve(folder, "query-client.ts"), 'export { QueryClient } from "@tanstack/react-query";\n');
  ({ QueryClient } = await import(resolve(folder, "query-client.ts")));
  for (const name of ["loans.ts", "loan-query.ts"]) {
    const code = titled("docs/client.md", name).replace("http://localhost:3000", url);
    writeFileSync(resolve(folder, name), code);
  }
});

afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("the guide to the client", () => {
  it("calls the service, as the page shows", async () => {
    const { result } = await import(resolve(folder, "loans.ts")).then(async ({ decern }) => ({
      result: await decern["loan-approval"]({ amount: 9000, score: 580 }),
    }));
    expect(result).toMatchObject({ status: "OK", data: { approved: false } });
  });

  it("answers with TanStack Query, which keeps the answer, and gets errors as errors", async () => {
    const { loanQuery } = await import(resolve(folder, "loan-query.ts"));
    const queries = new QueryClient();
    const input = { amount: 9000, score: 700 };
    const first = await queries.fetchQuery(loanQuery(input));
    expect(first).toMatchObject({ status: "OK", data: { approved: true } });
    expect(await queries.fetchQuery(loanQuery({ ...input }))).toBe(first);
    expect(await queries.fetchQuery(loanQuery({ ...input, score: 1.5 }))).toMatchObject({
      status: "INVALID_INPUT",
      errors: [{ path: "/score" }],
    });
  });

  it("ends the call when TanStack Query cancels it", async () => {
    const { loanQuery } = await import(resolve(folder, "loan-query.ts"));
    const queries = new QueryClient();
    const query = loanQuery({ amount: 1, score: 1 });
    let outcome: unknown;
    const watched = {
      ...query,
      queryFn: (context: { readonly signal: AbortSignal }) => {
        const call: Promise<unknown> = query.queryFn(context);
        call.catch((error) => {
          outcome = error.code;
        });
        return call;
      },
    };
    const answer = queries.fetchQuery(watched).catch(() => undefined);
    await queries.cancelQueries({ queryKey: query.queryKey });
    await answer;
    await expect.poll(() => outcome).toBe("ABORTED");
  });

  it("takes the types of a service in another repository from declarations alone", async () => {
    const flags = ["--declaration", "--emitDeclarationOnly", "--outDir", resolve(folder, "types")];
    const language = ["--target", "es2023", "--module", "nodenext", "--strict", "--skipLibCheck"];
    const source = ["--customConditions", "@decern/source", "--types", "node", "--ignoreConfig"];
    const tsc = resolve(root, "node_modules/typescript/bin/tsc");
    const entry = resolve(folder, "decisions.ts");
    await run(process.execPath, [tsc, ...flags, ...language, ...source, entry], { cwd: folder }).catch(
      (error: { readonly stdout: string }) => {
        throw new Error(error.stdout);
      },
    );
    const emitted = readFileSync(resolve(folder, "types/decisions.d.ts"), "utf8");
    // The client brings @decern/core, and the schemas' library is not needed.
    expect([...emitted.matchAll(/from "([^"]+)"|import\("([^"]+)"\)/g)].map(([, a, b]) => a ?? b)).toEqual(
      expect.arrayContaining(["@decern/core"]),
    );
    expect(emitted).not.toMatch(/typebox|zod|@decern\/schema/);
  });
});
