/**
 * A program that uses the types openapi-typescript generates from the document of the zoo. It compiles only if they are right:
 * `Same` is true only for identical types, and false for `any`.
 */
export const clientProgram = `
import type { components, operations, paths } from "./zoo.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = { [K in keyof T]: T[K] };
const right = <Claim extends true>(): Claim | undefined => undefined;

type Schemas = components["schemas"];
type Request<Id extends keyof operations> = operations[Id] extends { requestBody: { content: { "application/json": infer Body } } } ? Body : never;
type Answer<Id extends keyof operations, Status extends number> = operations[Id]["responses"] extends { [S in Status]: { content: { "application/json": infer Body } } } ? Body : never;

// A request has the decision's own input and an optional profile.
right<Same<Request<"evaluateLoanApproval">["input"], { amount: number; score: number; purpose?: "car" | "home" }>>();
right<Same<Request<"evaluateLoanApproval">["profile"], { minScore?: number; maxAmount?: number } | undefined>>();

// The reply is discriminated by its status.
export function read(answer: Answer<"evaluateLoanApproval", 200>): number | string {
  switch (answer.status) {
    case "OK":
      return answer.data.approved ? answer.data.rate : answer.meta.matchedRule;
    case "NO_MATCH":
      return answer.message;
  }
}
export function explain(answer: Answer<"evaluateLoanApproval", 400>): string {
  if (!("status" in answer)) return answer.error;
  right<Same<typeof answer.status, "INVALID_INPUT" | "INVALID_PROFILE">>();
  return answer.errors.map(({ path, message, keyword }) => path + message + keyword).join() + answer.meta.evaluatedAt;
}
right<Same<Answer<"evaluateLoanApproval", 404>, Schemas["Error"]>>();
right<Same<Answer<"evaluateLoanApproval", 413>, { error: string; code: string }>>();
right<Same<Answer<"listDecisions", 200>["decisions"][number]["description"], string | undefined>>();
right<Same<Answer<"getDecisionSchema", 200>["inputSchema"], { [key: string]: unknown }>>();
right<Same<Parameters<(_: operations["getDecisionSchema"]["parameters"]["path"]) => void>[0], { id: string }>>();
right<Same<paths["/decisions/loan-approval"]["post"], operations["evaluateLoanApproval"]>>();

right<Same<Schemas["UnionsInput"]["scalar"], string | number>>();
right<Same<Schemas["UnionsInput"]["literals"], 1 | "a" | null>>();
right<Same<Schemas["UnionsInput"]["level"], "low" | "high">>();
right<Same<Schemas["UnionsInput"]["shape"], { kind: "circle"; radius: number } | { kind: "square"; side: number }>>();

right<Same<Schemas["NullableInput"]["text"], string | null>>();
right<Same<Schemas["NullableInput"]["choice"], "x" | "y" | null>>();
right<Same<Schemas["NullableInput"]["nothing"], null>>();
right<Same<Schemas["NullableInput"]["object"], { a: number } | null>>();
right<Same<Schemas["NullableInput"]["list"], (string | null)[] | null>>();
right<Same<NonNullable<Schemas["NullableInput"]["category"]>["name"], string>>();
right<null extends Schemas["NullableInput"]["category"] ? true : false>();

right<Same<Schemas["TuplesInput"]["pair"], (string | number)[]>>();
right<Same<Schemas["TuplesInput"]["alike"], number[]>>();

right<Same<Schemas["RecordsInput"]["scores"], { [key: string]: number }>>();
right<Same<Schemas["RecordsInput"]["byChoice"]["a"], number>>();
right<Same<Schemas["RecordsInput"]["closed"], { a: string }>>();
right<Same<Schemas["RecordsInput"]["open"]["a"], string>>();
right<Same<Schemas["RecordsInput"]["anything"], unknown>>();

right<Same<NonNullable<Schemas["RecursiveInput"]["children"]>[number], Schemas["RecursiveInput"]>>();
right<Same<Flat<Schemas["RecursiveOutput"]["left"]>["name"], string>>();
right<Same<NonNullable<NonNullable<Schemas["ArktypeRecursiveInput"]["deps"]>[number]["deps"]>[number]["name"], string>>();

right<Same<Schemas["FormatsInput"]["mail"], string>>();
right<Same<Schemas["FormatsInput"]["share"], number>>();
right<Same<Schemas["DefaultsInput"], { text?: string; nested?: { a?: number }; list?: string[] }>>();

right<Same<Schemas["ArktypeInput"]["lit"], "x" | "y" | null>>();
right<Same<Schemas["ArktypeInput"]["a"], string | null | undefined>>();
right<Same<Schemas["PlainDraft07Input"]["many"], string | number | null | undefined>>();
right<Same<Schemas["PlainDraft07Input"]["mixed"], "a" | 1 | true | null | undefined>>();
right<Same<Schemas["PlainDraft07Input"]["deep"], number | undefined>>();
right<Same<Schemas["PlainDraft07Input"]["one"], "only">>();

right<Same<Schemas["LiteralsInput"]["none"], null>>();
right<Same<Schemas["LiteralsInput"]["yes"], true | undefined>>();
right<Same<Schemas["LiteralsInput"]["number"], 0 | -1 | 1.5 | 1e21 | 1e-7 | undefined>>();
right<Same<Schemas["LiteralsInput"]["object"], { a: 1; "b-c": { d: null; e: ["x"] } } | undefined>>();
right<Same<Schemas["LiteralsInput"]["objects"], { kind: "a" } | { kind: "b" } | Record<string, never> | undefined>>();
right<Same<Schemas["LiteralsInput"]["everything"], { a: true } | ["a"] | "a" | 1 | false | null | undefined>>();
right<Same<Schemas["LiteralsInput"]["objectOrNone"], { a: 1 } | null | undefined>>();
right<Same<Schemas["LiteralsInput"]["union"], "a" | 1 | null | { a: 1 }>>();
right<Same<Schemas["LiteralsInput"]["referenceOrNone"], "text" | null | undefined>>();
right<Same<Schemas["LiteralsOutput"], null>>();

// Ids that look alike keep schemas of their own.
right<Same<Request<"evaluateAB">["input"], { dash: string }>>();
right<Same<Request<"evaluateAB2">["input"], { underscore: string }>>();
right<Same<Request<"evaluateAB3">["input"], { dot: string }>>();
right<Same<Request<"evaluateAB4">["input"], { camel: string }>>();
right<Same<Request<"evaluateEvaluate">["input"], { itself: string }>>();
right<Same<Request<"evaluateError">["input"], { code: string }>>();
right<Same<Request<"evaluateProto">["input"], { proto: string }>>();
right<Same<Request<"evaluateConstructor">["input"], { ctor: string }>>();

// @ts-expect-error the amount is a number
export const wrong: Request<"evaluateLoanApproval"> = { input: { amount: "1", score: 1 } };
`;
