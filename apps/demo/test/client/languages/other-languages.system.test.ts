import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createServer } from "@decern/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loanApprovalExamples } from "../../../src/decisions/loan-approval.js";
import { serviceOptions } from "../../../src/service-options.js";
import { root } from "../../examples/page-examples.js";
import { settings } from "../../support/settings.js";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "decern-languages-"));
const service = createServer({ ...serviceOptions(settings), logger: false });
let url: string;

/** The generators that npm has with everything in them. Newer ones are downloaded from elsewhere. */
const generators = {
  // The newest one that writes clients in Python that know `oneOf`.
  python: "1.0.18-4.3.1",
  java: "1.0.18-5.0.0-beta2",
} as const;

async function generate(language: keyof typeof generators, flags: readonly string[]): Promise<string> {
  const prefix = join(folder, `generator-${language}`);
  const target = `@openapitools/openapi-generator-cli@${generators[language]}`;
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", ["install", "--prefix", prefix, ...quiet, target], { cwd: folder, maxBuffer: 1e8 });
  const jar = join(prefix, "node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar");
  const out = join(folder, language);
  const source = ["-i", join(folder, "openapi.json"), "-o", out];
  await run("java", ["-jar", jar, "generate", ...source, ...flags], { maxBuffer: 1e8 });
  return out;
}

/** A reply as the service sent it, which a client must not change. */
async function post(id: string, body: string): Promise<{ readonly status: number; readonly json: unknown }> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const response = await fetch(`${url}/decisions/${id}`, init);
  return { status: response.status, json: await response.json() };
}

/** Languages write the same instant differently. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    key === "evaluatedAt" && typeof inner === "string" ? Number.isFinite(Date.parse(inner)) : inner,
  );
}

const user = { id: "amara", department: "finance", roles: ["staff"] };
const shared = { owner: "bela", department: "finance", classification: "internal" };
const uncovered = { input: { user, document: shared, action: "share" } };
/** The client in Python takes no whole number for a number, and other loans have a rate of 0 or 12. */
const approved: readonly string[] = ["prime", "near-prime"];
const loansOf = (isIncluded: (rule: string | undefined) => boolean) =>
  loanApprovalExamples
    .filter((example) => example.expect.status === "OK" && isIncluded(example.expect.matchedRule))
    .map(({ input }) => ({ input }));
const loans = loansOf(() => true);
const approvedLoans = loansOf((rule) => rule !== undefined && approved.includes(rule));
const refused = { input: { amount: 1 } };
const wrongProfile = { ...loans[0], profile: { minScore: "high" } };

beforeAll(async () => {
  url = await service.listen(0, { host: "127.0.0.1" });
  const document = await (await fetch(`${url}/openapi.json`)).text();
  // Generators of 2020 make no type of a named object of any members, and yet import it.
  const anything = '{"type":"object","additionalProperties":true}';
  const readable = document.replaceAll('{"$ref":"#/components/schemas/JsonSchema"}', anything);
  expect(readable).not.toBe(document);
  writeFileSync(join(folder, "openapi.json"), readable);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

describe("clients in TypeScript", () => {
  const prefix = join(folder, "typescript");
  const bin = join(prefix, "node_modules/.bin");
  const document = join(folder, "openapi.json");
  const generators = [
    { name: "hey-api", command: ["openapi-ts", "-i", document, "-o", "client"] },
    {
      name: "swagger-typescript-api",
      command: ["swagger-typescript-api", "generate", "-p", document, "-o", ".", "-n", "client.ts"],
    },
  ];

  beforeAll(async () => {
    // They call the API of TypeScript, which version 7 does not have.
    const packages = ["@hey-api/openapi-ts@0.99.0", "swagger-typescript-api@13.13.0", "typescript@5.9.3"];
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    await run("npm", ["install", "--prefix", prefix, ...quiet, ...packages], { cwd: folder, maxBuffer: 1e8 });
  });

  it.each(generators)(
    "$name: compiles, and reads every outcome",
    async ({ name, command: [command = "", ...flags] }) => {
      const cwd = join(prefix, name);
      mkdirSync(cwd);
      await run(join(bin, command), flags, { cwd, maxBuffer: 1e8 });
      // Not a file of this project: it imports what is generated.
      cpSync(join(here, `typescript/${name}.ts.txt`), join(cwd, "program.ts"));
      const strict = [
        "--strict",
        "--target",
        "es2023",
        "--module",
        "commonjs",
        "--lib",
        "es2023,dom,dom.iterable",
      ];
      const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types"), "--skipLibCheck"];
      await run(join(bin, "tsc"), [...strict, ...types, "--outDir", "out", "program.ts"], {
        cwd,
        maxBuffer: 1e8,
      });
      const call = JSON.stringify(approvedLoans[0]);
      const { stdout } = await run(
        process.execPath,
        ["out/program.js", url, call, JSON.stringify(uncovered)],
        { cwd },
      );
      const replies = await Promise.all([
        post("loan-approval", call),
        post("document-access", JSON.stringify(uncovered)),
        post("loan-approval", "{}"),
      ]);
      const expected = ["prime", "No rule matched", ...replies.map(({ json }) => json)];
      expect(comparable(JSON.parse(stdout))).toEqual(comparable(expected));
    },
  );
});

describe("a client in Python", () => {
  it("calls the service and reads every outcome into its own type", async () => {
    const client = await generate("python", ["-g", "python-experimental"]);
    const calls = [
      ...approvedLoans.map((body) => ({ id: "loan-approval", refused: false, body })),
      { id: "document-access", refused: false, body: uncovered },
      { id: "loan-approval", refused: true, body: refused },
      { id: "loan-approval", refused: true, body: wrongProfile },
    ];
    const program = join(here, "python/round_trip.py");
    const env = {
      ...process.env,
      PYTHONPATH: `${client}:${join(here, "python")}`,
      PYTHONDONTWRITEBYTECODE: "1",
    };
    // Debian's, which has the libraries.
    const { stdout } = await run("/usr/bin/python3", [program, url, JSON.stringify(calls)], { env });
    const printed = stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    const expected = await Promise.all(
      calls.map(async ({ id, body }) => {
        const { status, json } = await post(id, JSON.stringify(body));
        const type =
          status === 400 ? "ApiException" : id === "loan-approval" ? "LoanApprovalOkResult" : "NoMatchResult";
        return [status, type, json];
      }),
    );
    expect(comparable(printed)).toEqual(comparable(expected));
    expect(new Set(expected.map(([, type]) => type)).size).toBe(3);
  });
});

describe("a client in Java", () => {
  const jars = ["jackson-annotations", "jackson-core", "jackson-databind", "jsr305"]
    .concat(["geronimo-annotation-1.3-spec", "jaxrs-api"])
    .map((name) => `/usr/share/java/${name}.jar`);
  const classes = join(folder, "classes");

  beforeAll(async () => {
    const properties = "--additional-properties=dateLibrary=java8,hideGenerationTimestamp=true";
    const generated = await generate("java", ["-g", "java", "--library", "jersey2", properties]);
    const models = join(generated, "src/main/java/org/openapitools/client/model");
    const sources = join(folder, "sources");
    cpSync(models, join(sources, "org/openapitools/client/model"), { recursive: true });
    cpSync(join(here, "java/shims"), sources, { recursive: true });
    cpSync(join(here, "java/RoundTrip.java"), join(sources, "RoundTrip.java"));
    mkdirSync(classes);
    for (const jar of jars) expect(existsSync(jar), jar).toBe(true);
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".java"),
    );
    await run("javac", ["-nowarn", "-d", classes, "-cp", jars.join(":"), ...files], {
      cwd: sources,
      maxBuffer: 1e8,
    });
  });

  it("compiles, and its types send a call and read every outcome back as it was sent", async () => {
    const calls = [
      ...loans.map((body) => ["loan-approval", "LoanApprovalResult", JSON.stringify(body)] as const),
      ["document-access", "DocumentAccessResult", JSON.stringify(uncovered)],
      ["loan-approval", "InvalidCall", JSON.stringify(refused)],
      ["loan-approval", "InvalidCall", JSON.stringify(wrongProfile)],
      ["loan-approval", "InvalidCall", '{"input":'],
      // Not as an InvalidCall: the client does not ask whether a required member is there, and an Error would do as well.
      ["loan-approval", "MissingInput", "{}"],
      ["no-such-decision", "Error", "{}"],
    ] as const;
    const replies = await Promise.all(calls.map(async ([id, , body]) => (await post(id, body)).json));
    const java = spawn("java", ["-cp", [classes, ...jars].join(":"), "RoundTrip", url]);
    java.stdin.end(calls.map(([, model], index) => `${model}\t${JSON.stringify(replies[index])}\n`).join(""));
    const [printed = "", complaints] = await Promise.all([text(java.stdout), text(java.stderr)]);
    expect(complaints).toBe("");
    const [typed, ...lines] = printed.trim().split("\n");
    expect(typed).toBe("near-prime near-prime");
    expect(comparable(lines.map((line): unknown => JSON.parse(line)))).toEqual(comparable(replies));
  });
});
