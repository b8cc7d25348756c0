import { defineDecision, ERRORS, type ErrorCode, evaluate } from "@decern/core";
import { errorBody, tableReply } from "@decern/core/host";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { schemaRef } from "../src/components/component-schemas.js";
import { generateOpenAPISpec } from "../src/index.js";
import { schemaValidator } from "./support/document-validator.js";
import { info } from "./support/zoo.js";

const decision = defineDecision({
  id: "loan",
  version: "1.0.0",
  inputSchema: z.object({ amount: z.number().min(0) }),
  outputSchema: z.object({ approved: z.boolean() }),
  profileSchema: z.object({ limit: z.number().default(10) }),
  rules: [
    { id: "small", when: (input, profile) => input.amount < profile.limit, emit: () => ({ approved: true }) },
    {
      id: "large",
      when: (input) => input.amount > 100,
      emit: () => ({ approved: false }),
      explain: "Too much",
    },
  ],
});
const { schemas, responses } = generateOpenAPISpec([decision], info).components;
const result = schemaValidator(schemaRef("LoanResult"), schemas);
const invalid = schemaValidator(
  responses["InvalidCall"]?.content?.["application/json"]?.schema ?? {},
  schemas,
);
const error = schemaValidator(schemaRef("Error"), schemas);

describe("the document describes what core returns", () => {
  it.each([
    ["a match", { amount: 1 }, "OK"],
    ["a later match", { amount: 101 }, "OK"],
    ["no match", { amount: 50 }, "NO_MATCH"],
  ])("%s", (_name, input, status) => {
    const envelope = evaluate(decision, input);
    expect(envelope.status).toBe(status);
    expect(result(envelope), JSON.stringify(result.errors)).toBe(true);
    expect(invalid(envelope)).toBe(false);
  });

  it.each([
    ["bad input", { amount: -1 }, {}, "INVALID_INPUT"],
    ["a bad profile", { amount: 1 }, { limit: "x" }, "INVALID_PROFILE"],
  ])("%s", (_name, input, profile, status) => {
    const envelope = evaluate(decision, input, profile as unknown);
    expect(envelope.status).toBe(status);
    expect(invalid(envelope), JSON.stringify(invalid.errors)).toBe(true);
    expect(result(envelope)).toBe(false);
  });

  it.each(Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS))("the error %s", (code) => {
    const body: unknown = JSON.parse(errorBody(tableReply(code)));
    expect(error(body)).toBe(true);
    expect(invalid(body)).toBe(true);
  });

  it("a missing input, which has no code", () => {
    const body = { error: ERRORS.MISSING_INPUT.message };
    expect(invalid(body)).toBe(true);
    expect(error(body)).toBe(false);
    expect(invalid({ error: "Something else" })).toBe(false);
  });

  it("nothing else", () => {
    const envelope = evaluate(decision, { amount: 1 });
    expect(result({ ...envelope, data: { approved: "yes" } })).toBe(false);
    expect(result({ ...envelope, status: "NO_MATCH" })).toBe(false);
    expect(result({ ...envelope, meta: {} })).toBe(false);
  });
});

describe("the examples of responses", () => {
  it("have the status that the error table has for their code", () => {
    const ofStatus = {
      BadRequest: 400,
      Forbidden: 403,
      DecisionNotFound: 404,
      MethodNotAllowed: 405,
      RequestTimeout: 408,
      BodyTooLarge: 413,
      UriTooLong: 414,
      UnsupportedMediaType: 415,
      HeadersTooLarge: 431,
      InternalError: 500,
      EvaluationFailed: 500,
      Unavailable: 503,
    };
    for (const [name, status] of Object.entries(ofStatus)) {
      const example = responses[name]?.content?.["application/json"]?.example;
      const code = z.object({ code: z.string() }).parse(example).code;
      expect(Object.entries(ERRORS).find(([key]) => key === code)?.[1].status, name).toBe(status);
    }
  });
});
