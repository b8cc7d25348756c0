import type { Decision } from "@decern/core";
import { program } from "@decern/core/tools";
import type { Exploration, ExploreOptions } from "../explore/exploration.js";
import { explore } from "../explore/explore.js";
import { type ExampleOptions, failedExamples } from "./failed-examples.js";
import { type Verdict, verdict } from "./verdict.js";

/** Matchers of decisions, for `expect.extend`. */
export const decisionMatchers = {
  toPassExamples(received: unknown, options?: ExampleOptions): Verdict {
    if (!isDecision(received)) throw new TypeError("toPassExamples takes a decision");
    const { count, failed } = failedExamples(received, options);
    return verdict(count > 0 && failed.length === 0, `${nameOf(received)} to pass its examples`, () =>
      count === 0
        ? "It has none: list them in meta.examples"
        : [`${count - failed.length} of ${count} pass`, ...failed].join("\n"),
    );
  },

  toReachEveryRule(received: unknown, options?: ExploreOptions): Verdict {
    const found = explored("toReachEveryRule", received, options);
    const missed = found.rules.filter(({ witness }) => witness === undefined);
    return verdict(missed.length === 0, `every rule of ${titleOf(found)} to decide some input`, () =>
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

  toHaveNoFaults(received: unknown, options?: ExploreOptions): Verdict {
    const { faults, runs, ...found } = explored("toHaveNoFaults", received, options);
    return verdict(faults.length === 0, `${titleOf(found)} to have no faults`, () =>
      faults.length === 0
        ? `None was found in ${runs} inputs`
        : faults.map(({ message, witness }) => `${message}\n  ${JSON.stringify(witness.input)}`).join("\n"),
    );
  },

  toHaveNoGaps(received: unknown, options?: ExploreOptions): Verdict {
    const { noMatch, runs, ...found } = explored("toHaveNoGaps", received, options);
    return verdict(noMatch === undefined, `${titleOf(found)} to have a rule for every input`, () =>
      noMatch === undefined
        ? `No witness of the opposite in ${runs} inputs`
        : `No rule matches\n  ${JSON.stringify(noMatch.input)}`,
    );
  },
};

/** Explores a decision, or takes what was explored already: that spares several matchers the same search. */
function explored(matcher: string, received: unknown, options: ExploreOptions = {}): Exploration {
  if (isDecision(received)) return explore(received, options);
  if (isExploration(received)) return received;
  throw new TypeError(`${matcher} takes a decision, or what explore() returned`);
}

function isDecision(value: unknown): value is Decision {
  return typeof value === "object" && value !== null && program in value;
}

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
