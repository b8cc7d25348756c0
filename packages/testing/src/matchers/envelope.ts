import type { InvalidResult, NoMatchResult, OkResult, Result } from "@decern/core";

const statuses: ReadonlySet<unknown> = new Set(["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE"]);

/** @throws TypeError for a value that is no envelope: a matcher must not pass on it, with `.not` neither */
export function envelope(matcher: string, received: unknown): Result {
  if (isEnvelope(received)) return received;
  const what = received instanceof Promise ? "a promise: await it" : JSON.stringify(received);
  throw new TypeError(`${matcher} takes an envelope, as evaluate() returns it, and got ${what}`);
}

function isEnvelope(value: unknown): value is Result {
  return (
    typeof value === "object" &&
    value !== null &&
    "status" in value &&
    statuses.has(value.status) &&
    "meta" in value
  );
}

/** An envelope as a reader of a test's output wants it. */
export function describeEnvelope(result: Result): string {
  if (result.status === "OK") return describeMatch(result);
  return result.status === "NO_MATCH" ? describeMiss(result) : describeRefusal(result);
}

function describeMatch({ data, meta }: OkResult): string {
  return `Rule "${meta.matchedRule}" decided: ${meta.explanation}\n  ${JSON.stringify(data)}`;
}

function describeMiss({ meta }: NoMatchResult): string {
  return `NO_MATCH: none of the rules ${meta.evaluatedRules.map(({ ruleId }) => ruleId).join(", ")} matched`;
}

function describeRefusal({ status, errors }: InvalidResult<"INVALID_INPUT" | "INVALID_PROFILE">): string {
  return [`${status}:`, ...errors.map(({ path, message }) => `  ${path || "(the whole)"} ${message}`)].join(
    "\n",
  );
}
