import type { MatcherState } from "vitest";
import { describeEnvelope, envelope } from "./envelope.js";
import { type Verdict, verdict } from "./verdict.js";

/** Matchers of envelopes, for `expect.extend`. */
export const envelopeMatchers = {
  toMatchRule(this: MatcherState, received: unknown, ruleId: string, data?: unknown): Verdict {
    const result = envelope("toMatchRule", received);
    const isRule = result.status === "OK" && result.meta.matchedRule === ruleId;
    const expectation = `rule "${ruleId}" to decide`;
    if (!isRule || data === undefined) return verdict(isRule, expectation, () => describeEnvelope(result));
    const { iterableEquality, subsetEquality } = this.utils;
    const hasData = this.equals(result.data, data, [...this.customTesters, iterableEquality, subsetEquality]);
    return {
      ...verdict(hasData, `${expectation} with ${JSON.stringify(data)}`, () => describeEnvelope(result)),
      actual: result.data,
      expected: data,
    };
  },

  toBeNoMatch(received: unknown): Verdict {
    const result = envelope("toBeNoMatch", received);
    return verdict(result.status === "NO_MATCH", "no rule to match", () => describeEnvelope(result));
  },

  toBeInvalidInput(received: unknown, ...pointers: readonly string[]): Verdict {
    return refusal("toBeInvalidInput", received, "INVALID_INPUT", pointers);
  },

  toBeInvalidProfile(received: unknown, ...pointers: readonly string[]): Verdict {
    return refusal("toBeInvalidProfile", received, "INVALID_PROFILE", pointers);
  },

  toBeExplainedBy(received: unknown, text: string | RegExp): Verdict {
    const result = envelope("toBeExplainedBy", received);
    const explanation = result.status === "OK" ? result.meta.explanation : undefined;
    const pass =
      explanation !== undefined &&
      (typeof text === "string" ? explanation.includes(text) : new RegExp(text).test(explanation));
    return verdict(
      pass,
      `an explanation with ${typeof text === "string" ? JSON.stringify(text) : text}`,
      () => describeEnvelope(result),
    );
  },
};

function refusal(
  matcher: string,
  received: unknown,
  status: "INVALID_INPUT" | "INVALID_PROFILE",
  pointers: readonly string[],
): Verdict {
  const result = envelope(matcher, received);
  const failing = result.status === status ? result.errors.map(({ path }) => path) : [];
  const pass = result.status === status && pointers.every((pointer) => failing.includes(pointer));
  const places = pointers.length === 0 ? "" : ` at ${pointers.join(" and ")}`;
  return verdict(pass, `${status}${places}`, () => describeEnvelope(result));
}
