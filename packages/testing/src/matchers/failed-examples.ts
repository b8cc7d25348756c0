import { isDeepStrictEqual } from "node:util";
import type { Decision } from "@decern/core";
import { type Reevaluated, reevaluate } from "@decern/core/tools";
import { type DecisionExample, examples } from "../examples.js";
import { bindDecision } from "../explore/bound-decision.js";
import type { ExploreOptions } from "../explore/exploration.js";
import { describeEnvelope } from "./envelope.js";

/** What examples are evaluated with. */
export type ExampleOptions = Pick<ExploreOptions, "profile" | "profiles" | "now">;

const requestId = "00000000-0000-7000-8000-000000000000";

/** Evaluates the examples of a decision, and says of each that does not come out as it expects what came out. */
export function failedExamples(
  decision: Decision,
  { profile, profiles, now = new Date("2026-01-01T00:00:00Z") }: ExampleOptions = {},
): { readonly count: number; readonly failed: readonly string[] } {
  const bound = bindDecision(decision, { profile, profiles });
  const all = examples(decision);
  const failed = all.flatMap((example) => {
    const reevaluated = reevaluate(bound.decision, {
      input: example.input,
      profile: example.profile,
      profiles: bound.profiles,
      epochMs: now.getTime(),
      requestId,
    });
    const problem = problemOf(example, reevaluated);
    return problem === undefined ? [] : [`"${example.name}": ${problem}`];
  });
  return { count: all.length, failed };
}

function problemOf({ expect }: DecisionExample, { result, error }: Reevaluated<unknown>): string | undefined {
  if (error !== undefined) return error.message;
  const isAsExpected =
    result.status === expect.status &&
    (expect.matchedRule === undefined ||
      (result.status === "OK" && result.meta.matchedRule === expect.matchedRule)) &&
    (expect.data === undefined ||
      (result.status === "OK" && isDeepStrictEqual(carried(result.data), carried(expect.data))));
  if (isAsExpected) return undefined;
  const { status, matchedRule, data } = expect;
  const wanted = [status, matchedRule, data === undefined ? undefined : JSON.stringify(data)];
  return `expected ${wanted.filter((part) => part !== undefined).join(" ")}. ${describeEnvelope(result)}`;
}

/** What a caller gets: examples are JSON, and prototypes do not count. */
function carried(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}
