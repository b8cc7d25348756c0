import { defineDecision, type Result } from "@decern/core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { type BatchItem, createClient, DecernClientError, type DecisionCall } from "../src/index.js";

const loan = defineDecision({
  id: "loan-approval",
  version: "1.0.0",
  inputSchema: z.object({
    amount: z.number(),
    kind: z.enum(["car", "house"]),
    years: z.number().default(5),
    guarantors: z.array(z.object({ name: z.string() })).optional(),
  }),
  outputSchema: z.object({ approved: z.boolean(), tier: z.enum(["prime", "basic"]) }),
  profileSchema: z.object({ minScore: z.number(), names: z.array(z.string()).default([]) }),
  rules: [{ id: "all", when: () => true, emit: () => ({ approved: true, tier: "prime" }) }],
});
const score1 = defineDecision({
  id: "score",
  version: "1.0.0",
  inputSchema: z.object({ debts: z.number() }),
  outputSchema: z.object({ points: z.number() }),
  profileSchema: z.object({}),
  rules: [{ id: "all", when: () => true, emit: () => ({ points: 1 }) }],
});
const score2 = defineDecision({
  id: "score",
  version: "2.0.0",
  inputSchema: z.object({ income: z.number() }),
  outputSchema: z.object({ grade: z.string() }),
  profileSchema: z.object({}),
  rules: [{ id: "all", when: () => true, emit: () => ({ grade: "A" }) }],
});
const decisions = [loan, score1, score2];
const decern = createClient<typeof decisions>({ url: "https://decisions.example.com" });
const good = { amount: 1, kind: "car" } as const;

test("an answer has the types of the decision", async () => {
  const result = await decern["loan-approval"](good);
  expectTypeOf(result).toEqualTypeOf<Result<{ approved: boolean; tier: "prime" | "basic" }, "all">>();
  if (result.status === "OK") expectTypeOf(result.data.tier).toEqualTypeOf<"prime" | "basic">();
  else expectTypeOf(result.message).toEqualTypeOf<string>();
  // @ts-expect-error data is there on OK only
  result.data;
});

test("lists and tuples, constants, and a single decision work alike", () => {
  const tuple = [loan, score1] as const;
  expectTypeOf<keyof ReturnType<typeof createClient<typeof tuple>>>().toEqualTypeOf<
    "loan-approval" | "score"
  >();
  expectTypeOf(createClient<[typeof loan]>({ url: "" })).toHaveProperty("loan-approval");
});

test("inputs are checked, and readonly constants and absent defaults are accepted", () => {
  const constant = { amount: 1, kind: "car", guarantors: [{ name: "A" }] } as const;
  decern["loan-approval"](constant);
  decern["loan-approval"]({ ...good, years: 3 });
  // @ts-expect-error amount is missing
  decern["loan-approval"]({ kind: "car" });
  // @ts-expect-error amount is a number
  decern["loan-approval"]({ ...good, amount: "1" });
  // @ts-expect-error no such kind
  decern["loan-approval"]({ amount: 1, kind: "boat" });
  // @ts-expect-error no such field
  decern["loan-approval"]({ ...good, ammount: 1 });
  // @ts-expect-error a required field is not undefined
  decern["loan-approval"]({ ...good, amount: undefined });
  // @ts-expect-error unknown values are to be checked first
  decern["loan-approval"](JSON.parse("{}") as unknown);
  // @ts-expect-error no input
  decern["loan-approval"]();
  // @ts-expect-error input is not wrapped
  decern["loan-approval"]({ input: good });
});

test("unknown decisions are errors", () => {
  // @ts-expect-error no such decision
  decern["loan-aproval"];
  // @ts-expect-error no such decision
  decern.then;
});

test("versions of one decision share a function, with the types of both", async () => {
  decern.score({ debts: 1 }, { version: "1.0.0" });
  decern.score({ income: 1 }, { version: "2.0.0" });
  // @ts-expect-error neither version takes this
  decern.score({ age: 1 });
  const result = await decern.score({ debts: 1 });
  if (result.status === "OK")
    expectTypeOf(result.data).toEqualTypeOf<{ points: number } | { grade: string }>();
});

test("options are checked", () => {
  decern["loan-approval"](good, {
    profile: { minScore: 1 },
    version: "1.0.0",
    signal: new AbortController().signal,
    requestId: "r-1",
    timeoutMs: 1,
    retries: 0,
  });
  decern["loan-approval"](good, { profileName: "strict" });
  // @ts-expect-error minScore is a number
  decern["loan-approval"](good, { profile: { minScore: "1" } });
  // @ts-expect-error minScore is missing
  decern["loan-approval"](good, { profile: {} });
  // @ts-expect-error a profile or its name, not both
  decern["loan-approval"](good, { profile: { minScore: 1 }, profileName: "strict" });
  // @ts-expect-error no such option
  decern["loan-approval"](good, { requestID: "r-1" });
  // @ts-expect-error versions are strings
  decern["loan-approval"](good, { version: 1 });
  // @ts-expect-error a client needs a URL
  createClient<typeof decisions>({});
  // @ts-expect-error no such option
  createClient<typeof decisions>({ url: "", timeout: 60_000 });
  // @ts-expect-error not a list of decisions
  createClient<{ readonly "loan-approval": typeof loan }>({ url: "" });
});

test("headers are values, or a function that gets them", () => {
  createClient<typeof decisions>({ url: new URL("https://a.example"), headers: { "x-api-key": "k" } });
  createClient<typeof decisions>({ url: "", headers: async () => ({ authorization: "Bearer t" }) });
  createClient<typeof decisions>({ url: "", fetch });
  // @ts-expect-error a header is a string
  createClient<typeof decisions>({ url: "", headers: { "x-api-key": process.env["KEY"] } });
});

test("without the types of decisions, every id is a call of unknown types", () => {
  const untyped = createClient({ url: "" });
  expectTypeOf(untyped["anything"]).toEqualTypeOf<DecisionCall | undefined>();
});

test("the error has the codes of the service and of the client", () => {
  const error = new DecernClientError("TIMEOUT", "No reply");
  expectTypeOf<"OVERLOADED">().toExtend<typeof error.code>();
  expectTypeOf<"CALLER_NOT_ALLOWED">().toExtend<typeof error.code>();
  expectTypeOf(error.status).toEqualTypeOf<number | undefined>();
});

test("batches and streams take inputs of the decision, and return items", async () => {
  const { batch, stream } = decern["loan-approval"];
  const [item] = await batch([good, { ...good, years: 3 }], { profile: { minScore: 1 }, version: "1.0.0" });
  expectTypeOf(item).toEqualTypeOf<
    BatchItem<{ approved: boolean; tier: "prime" | "basic" }, "all"> | undefined
  >();
  if (item?.status === "OK") expectTypeOf(item.data.approved).toEqualTypeOf<boolean>();
  if (item?.status === undefined && item !== undefined) expectTypeOf(item.error).toEqualTypeOf<string>();
  async function* source() {
    yield good;
  }
  for await (const one of stream(source())) expectTypeOf(one).toEqualTypeOf<NonNullable<typeof item>>();
  stream(new Set([good]), { version: "1.0.0", timeoutMs: 1 });
  // @ts-expect-error not a list
  batch(good);
  // @ts-expect-error amount is missing
  batch([{ kind: "car" }]);
  // @ts-expect-error amount is missing
  stream([{ kind: "car" }]);
  // @ts-expect-error a stream has the profile of the service
  stream([good], { profile: { minScore: 1 } });
  // @ts-expect-error minScore is a number
  batch([good], { profile: { minScore: "1" } });
});
