import { isDeepStrictEqual } from "node:util";
import type { Decision } from "@decern/core";
import { evaluateCall, isDecision } from "@decern/core/tools";
import type { Exploration, ExploreOptions } from "../explore/exploration.js";
import { explore } from "../explore/explore.js";
import { bindDecision, type DecisionExample, examples } from "../explore/inputs.js";
import { checkLock } from "../lock/check-lock.js";
import type { DecisionLock, LockDifference, LockedModule } from "../lock/lock.js";
import { readLock } from "../lock/lock-file.js";
import {
  describeEnvelope,
  type ExampleOptions,
  type MatcherResult,
  matcherResult,
} from "./envelope-matchers.js";

const requestId = "00000000-0000-7000-8000-000000000000";

/** Evaluates the examples of a decision, and says of each that does not come out as it expects what came out. */
function failedExamples(
  decision: Decision,
  { profile, profiles, now = new Date("2026-01-01T00:00:00Z") }: ExampleOptions = {},
): { readonly count: number; readonly failed: readonly string[] } {
  const bound = bindDecision(decision, { profile, profiles });
  const all = examples(decision);
  const failed = all.flatMap((example) => {
    const outcome = evaluateCall({
      decision: bound.decision,
      input: example.input,
      profile: example.profile,
      profiles: bound.profiles,
      epochMs: now.getTime(),
      requestId,
    });
    const problem = problemOf(example, outcome);
    return problem === undefined ? [] : [`"${example.name}": ${problem}`];
  });
  return { count: all.length, failed };
}

function problemOf(
  { expect }: DecisionExample,
  { result, error }: ReturnType<typeof evaluateCall>,
): string | undefined {
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

/** A value as JSON carries it: examples are JSON, and prototypes do not count. */
function carried(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

/** Matchers of decisions, for `expect.extend`. */
export const decisionMatchers = {
  toPassExamples(received: unknown, options?: ExampleOptions): MatcherResult {
    if (!isDecision(received)) throw new TypeError("toPassExamples takes a decision");
    const { count, failed } = failedExamples(received, options);
    return matcherResult(count > 0 && failed.length === 0, `${nameOf(received)} to pass its examples`, () =>
      count === 0
        ? "It has none: list them in meta.examples"
        : [`${count - failed.length} of ${count} pass`, ...failed].join("\n"),
    );
  },

  toReachEveryRule(received: unknown, options?: ExploreOptions): MatcherResult {
    const found = explored("toReachEveryRule", received, options);
    const missed = found.rules.filter(({ witness }) => witness === undefined);
    return matcherResult(missed.length === 0, `every rule of ${titleOf(found)} to decide some input`, () =>
      missed.length === 0
        ? `Each of the ${found.rules.length} rules does`
        : [
            `No witness in ${found.runs} inputs for:`,
            ...missed.map(
              ({ ruleId, shadowedBy }) =>
                `  ${ruleId}${shadowedBy.length === 0 ? "" : `, behind ${shadowedBy.join(", ")}`}`,
            ),
          ].join("\n"),
    );
  },

  toHaveNoFaults(received: unknown, options?: ExploreOptions): MatcherResult {
    const { faults, runs, ...found } = explored("toHaveNoFaults", received, options);
    return matcherResult(faults.length === 0, `${titleOf(found)} to have no errors`, () =>
      faults.length === 0
        ? `None was found in ${runs} inputs`
        : faults.map(({ message, witness }) => `${message}\n  ${JSON.stringify(witness.input)}`).join("\n"),
    );
  },

  toHaveNoGaps(received: unknown, options?: ExploreOptions): MatcherResult {
    const { noMatch, runs, ...found } = explored("toHaveNoGaps", received, options);
    return matcherResult(noMatch === undefined, `${titleOf(found)} to have a rule for every input`, () =>
      noMatch === undefined
        ? `No witness of the opposite in ${runs} inputs`
        : `No rule matches\n  ${JSON.stringify(noMatch.input)}`,
    );
  },
};

/** Explores a decision, or takes an earlier exploration, so that several matchers share one search. */
function explored(matcher: string, received: unknown, options: ExploreOptions = {}): Exploration {
  if (isDecision(received)) return explore(received, options);
  if (isExploration(received)) return received;
  throw new TypeError(`${matcher} takes a decision, or what explore() returned`);
}

/** Whether a value comes from `explore`, which guarantees the rest of its members. */
function isExploration(value: unknown): value is Exploration {
  return typeof value === "object" && value !== null && "coverage" in value && "boundaries" in value;
}

function nameOf({ id, version }: Decision): string {
  return `${id} ${version}`;
}

function titleOf({
  decisionId,
  decisionVersion,
}: Pick<Exploration, "decisionId" | "decisionVersion">): string {
  return `${decisionId} ${decisionVersion}`;
}

/** The matcher of a module's behaviour, for `expect.extend`. */
export const lockMatcher = {
  toMatchLock(received: LockedModule, lock: DecisionLock | string): MatcherResult {
    const { differences, unlocked } = checkLock(received, typeof lock === "string" ? readLock(lock) : lock);
    return matcherResult(differences.length === 0, "every version to behave as locked", () =>
      differences.length === 0
        ? `They do${unlocked.length === 0 ? "" : `; not locked yet: ${unlocked.join(", ")}`}`
        : differences.map(describe).join("\n\n"),
    );
  },
};

function describe({ decisionId, version, inputs, smallest, isProfileChanged }: LockDifference): string {
  const { input, before, after, result } = smallest;
  return [
    `${decisionId} ${version} gives ${inputs === 1 ? "a different result for 1 locked input" : `different results for ${inputs} locked inputs`}. Smallest:`,
    `  input:  ${JSON.stringify(input)}`,
    `  before: ${before}`,
    `  now:    ${after}`,
    `  ${JSON.stringify(result)}`,
    isProfileChanged
      ? "A profile was changed. If you meant that, lock again and accept this version."
      : "If you meant that, give it another version number.",
  ].join("\n");
}
