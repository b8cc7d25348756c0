import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const here = fileURLToPath(new URL(".", import.meta.url));
// In this folder, so that the packages resolve as they do for a user: to their declarations.
const folder = mkdtempSync(join(here, ".compilers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function compilerOf(name: string) {
  const manifest = require.resolve(`${name}/package.json`);
  const version: string = require(manifest).version;
  return { version, tsc: join(dirname(manifest), "bin/tsc"), isNative: !version.startsWith("5.") };
}
const oldest = compilerOf("typescript5.5");
const lastInJavaScript = compilerOf("typescript5.9");
const newest = compilerOf("typescript");
type Compiler = ReturnType<typeof compilerOf>;

interface Compiled {
  /** By file. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly instantiations: number;
}

/** Compiles files as one project: a compiler reads the declarations of the packages once for all of them. */
async function compile(
  { version, tsc, isNative }: Compiler,
  project: string,
  sources: Readonly<Record<string, string>>,
): Promise<Compiled> {
  const files = Object.keys(sources).map((name) => `${name}-${version}.ts`);
  for (const [index, source] of Object.values(sources).entries())
    writeFileSync(join(folder, files[index] ?? ""), source);
  const config = join(folder, `${project}-${version}.json`);
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  // Several checkers instantiate the same types again, and each would count.
  const single = isNative ? ["--checkers", "1"] : [];
  const { stdout } = await run(process.execPath, [
    tsc,
    "-p",
    config,
    "--extendedDiagnostics",
    ...single,
  ]).catch((error: { readonly stdout: string }) => error);
  const instantiations = Number(/^Instantiations:\s+(\d+)$/m.exec(stdout)?.[1]);
  const lines = stdout.split("\n").filter((line) => line.includes("error TS"));
  const errors = Object.fromEntries(
    Object.keys(sources).map((name, index) => [
      name,
      lines.filter((line) => line.includes(`${files[index]}(`)),
    ]),
  );
  const ofFiles = Object.values(errors).flat().length;
  if (ofFiles < lines.length || Number.isNaN(instantiations)) throw new Error(stdout);
  return { errors, instantiations };
}

const schemas = {
  typebox: {
    imports: `import { typebox } from "@decern/schema";\nimport { Type } from "typebox";`,
    input:
      "typebox(Type.Object({ items: Type.Array(Type.Object({ price: Type.Number() })), note: Type.Optional(Type.String()) }))",
    output:
      'typebox(Type.Object({ total: Type.Number(), tier: Type.Union([Type.Literal("a"), Type.Literal("b")]) }))',
    profile:
      "typebox(Type.Object({ limit: Type.Number(), step: Type.With(Type.Integer(), { default: 1 }) }))",
  },
  zod: {
    imports: `import { z } from "zod";`,
    input: "z.object({ items: z.array(z.object({ price: z.number() })), note: z.string().optional() })",
    output: 'z.object({ total: z.number(), tier: z.enum(["a", "b"]) })',
    profile: "z.object({ limit: z.number(), step: z.int().default(1) })",
  },
  arktype: {
    imports: `import { type } from "arktype";`,
    input: `type({ items: type({ price: "number" }).array(), "note?": "string" })`,
    output: `type({ total: "number", tier: "'a' | 'b'" })`,
    profile: `type({ limit: "number", step: "number = 1" })`,
  },
};

/** A decision written in place, and what must and must not compile. */
const program = ({ imports, input, output, profile }: (typeof schemas)["zod"]) => `
import { defineDecision, evaluate, type InputOf } from "@decern/core";
import { createClient } from "@decern/client";
import { createServer } from "@decern/server";
${imports}
const cart = defineDecision({
  id: "cart",
  version: "1.0.0",
  inputSchema: ${input},
  outputSchema: ${output},
  profileSchema: ${profile},
  rules: [
    {
      id: "large",
      when: (i, p) => i.items.length > p.limit,
      emit: (i) => ({ total: i.items.reduce((t, x) => t + x.price, 0), tier: i.items.length > 3 ? "b" : "a" }),
      explain: (i, p) => \`\${i.items.length} items, \${p.step}\`,
    },
    { id: "otherwise", when: () => true, emit: () => ({ total: 0, tier: "a" }) },
  ],
});
evaluate(cart, { items: [{ price: 1 }] }, { limit: 1 });
evaluate(cart, { items: [{ price: 1 }], note: undefined }, { limit: 1, step: 2 });
// @ts-expect-error items is required
evaluate(cart, {}, { limit: 1 });
// @ts-expect-error items must not be undefined
evaluate(cart, { items: undefined }, { limit: 1 });
// @ts-expect-error price is required
evaluate(cart, { items: [{}] }, { limit: 1 });
// @ts-expect-error limit is required
evaluate(cart, { items: [] }, { step: 1 });
// @ts-expect-error items is required
export const input: InputOf<typeof cart> = {};

const result = evaluate(cart, { items: [] }, { limit: 1 });
export const rule: "large" | "otherwise" | undefined = result.status === "OK" ? result.meta.matchedRule : undefined;
// @ts-expect-error large, not lrage
if (result.status === "OK" && result.meta.matchedRule === "lrage") throw new Error();

const client = createClient<[typeof cart]>({ url: "" });
client.cart({ items: [{ price: 1 }] }).then((reply) => {
  // @ts-expect-error large, not lrage
  if (reply.status === "OK" && reply.meta.matchedRule === "lrage") throw new Error();
});
// @ts-expect-error items is required
client.cart({});
// @ts-expect-error cart, not crat
client.crat({ items: [] });
// @ts-expect-error limit is required
client.cart({ items: [] }, { profile: { step: 1 } });

const decisions = [cart] as const;
createServer({ decisions, profiles: { cart: { limit: 1 } }, versions: { cart: { default: "1.0.0" } } });
createServer({ decisions, profiles: { "cart@1.0.0": { limit: 1, step: 2 } } });
createServer({
  decisions,
  authenticate: () => ({ caller: "me", tenant: "north" }),
  profileResolver: ({ request, named }) => (request?.identity?.tenant === "north" ? named("north") : undefined),
});
// @ts-expect-error cart needs a profile
createServer({ decisions });
// @ts-expect-error limit is required
createServer({ decisions, profiles: { cart: {} } });
// @ts-expect-error there is no such version
createServer({ decisions, profiles: { cart: { limit: 1 } }, versions: { cart: { default: "1.0.1" } } });
`;

/** Wrong options of a server, and what the error's first line says. */
const mistakes = [
  ["profiles: others", /^error TS2741: Property '"cart needs a profile: /],
  [
    "profiles: { ...others, cart: { limit: 1 }, crat: { limit: 1 } }",
    /^error TS2322: Type '{ limit: number; }' is not assignable to type '"no decision of the list has this id"'\.$/,
  ],
  [
    "profiles: { ...others, cart: { limt: 1 } }",
    /^error TS2561: .* 'limt' does not exist in type .{0,60} Did you mean to write 'limit'\?$/,
  ],
  [
    'profiles: { ...others, cart: { limit: "1" } }',
    /^error TS2322: Type 'string' is not assignable to type 'number'\.$/,
  ],
  [
    "profiles: { ...others, cart: { limit: 1 } }, prot: 1",
    /^error TS2322: Type 'number' is not assignable to type '"there is no such option"'\.$/,
  ],
] as const;

const decisions = 50;
/** Many decisions, with their schemas in place or in constants before them. */
function many(inPlace: boolean): string {
  const lines = [schemas.typebox.imports, `import { defineDecision } from "@decern/core";`];
  for (let index = 0; index < decisions; index++) {
    const parts = {
      inputSchema: `typebox(Type.Object({ amount: Type.Number(), kind: Type.Union([Type.Literal("a"), Type.Literal("b${index}")]), applicant: Type.Object({ age: Type.Optional(Type.Integer()) }) }))`,
      outputSchema: `typebox(Type.Object({ approved: Type.Boolean(), rate${index}: Type.Number() }))`,
      profileSchema: `typebox(Type.Object({ min${index}: Type.Integer() }))`,
    };
    const rules = Array.from(
      { length: 10 },
      (_, rule) =>
        `{ id: "r${rule}", when: (i, p) => i.amount < p.min${index} && i.kind === "a", emit: (i) => ({ approved: i.amount > 1, rate${index}: ${rule} }) }`,
    );
    const entries = Object.entries(parts);
    if (!inPlace) lines.push(...entries.map(([name, schema]) => `const ${name}${index} = ${schema};`));
    const given = entries.map(([name, schema]) => `${name}: ${inPlace ? schema : `${name}${index}`}`);
    lines.push(
      `export const d${index} = defineDecision({ id: "d${index}", version: "1", ${given.join(", ")}, rules: [${rules.join(", ")}] });`,
    );
  }
  return lines.join("\n");
}

const ids = Array.from({ length: decisions }, (_, index) => `d${index}`);
const sources = {
  ...Object.fromEntries(Object.entries(schemas).map(([name, parts]) => [name, program(parts)])),
  wrong: program(schemas.zod).replace("t + x.price", "t + x.prise"),
  mistakes: [
    many(false),
    `import { createServer } from "@decern/server";`,
    `const cart = defineDecision({ id: "cart", version: "1", inputSchema: inputSchema0, outputSchema: outputSchema0, profileSchema: typebox(Type.Object({ limit: Type.Number() })), rules: [] });`,
    `const decisions = [cart, ${ids.join(", ")}] as const;`,
    `const others = { ${ids.map((id, index) => `${id}: { min${index}: 1 }`).join(", ")} };`,
    ...mistakes.map(([options]) => `createServer({ decisions, ${options} });`),
  ].join("\n"),
  mapper: `
import { createDecisionGuard } from "@decern/adapter-express";
import { defineDecision } from "@decern/core";
import { z } from "zod";
const access = defineDecision({
  id: "access",
  version: "1",
  inputSchema: z.object({ document: z.string() }),
  outputSchema: z.object({ allowed: z.boolean() }),
  profileSchema: z.object({}),
  rules: [],
});
createDecisionGuard({ decision: access, inputMapper: (request) => ({ document: request.params["id"] }) });
`,
};

describe.each([oldest, lastInJavaScript, newest])("TypeScript $version", (compiler) => {
  let errors: Compiled["errors"];
  beforeAll(async () => {
    ({ errors } = await compile(compiler, "programs", sources));
  });

  it.each(Object.keys(schemas))("infers a decision that is written in place with %s", (name) => {
    expect(errors[name]).toEqual([]);
  });

  it("reports a wrong program in this very set-up", () => {
    expect(errors["wrong"]).toEqual([expect.stringContaining("'prise' does not exist")]);
  });

  it(`says on one line what is wrong with a server of ${decisions} decisions`, () => {
    const texts = errors["mistakes"]?.map((line) => line.replace(/^.*?: (?=error)/, ""));
    expect(texts).toEqual(mistakes.map(([, text]) => expect.stringMatching(text)));
  });

  it("says on one line which input a guard's mapper must return, and which it does", () => {
    expect(errors["mapper"]).toEqual([
      expect.stringMatching(
        /=> \{ document: string \| string\[\]; \}' is not assignable to type '\(request: [^&]* => Awaitable<\{ readonly document: string \| undefined; \}>'\.$/,
      ),
    ]);
  });
});

describe.each([oldest, newest])("TypeScript $version", (compiler) => {
  it(`checks ${decisions} decisions with schemas in place for 1.5 times what constants cost, at most`, async () => {
    const inPlace = await compile(compiler, "in-place", { inPlace: many(true) });
    const before = await compile(compiler, "constants", { constants: many(false) });
    expect({ ...inPlace.errors, ...before.errors }).toEqual({ inPlace: [], constants: [] });
    console.log(compiler.version, { inPlace: inPlace.instantiations, constants: before.instantiations });
    expect(inPlace.instantiations).toBeLessThan(1.5 * before.instantiations);
  });
});
