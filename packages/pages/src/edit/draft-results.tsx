import { isSameResult, type TableResult } from "@decern/table/browser";
import type { DraftReplies } from "../draft/draft-messages.js";
import { isObject, type JsonObject, own, sameJson } from "../json/values.js";
import { Icon } from "../parts/controls.js";

interface DraftResultsProps {
  /** What the calls are called. */
  readonly names: readonly string[];
  readonly results: DraftReplies["evaluate"];
  /** Whether they are about to be replaced. */
  readonly isOld: boolean;
}

/** What becomes of the call in the form and of the examples. */
export function DraftResults({ names, results, isOld }: DraftResultsProps) {
  const changed = results.filter(([before, after]) => !isSameResult(before, after)).length;
  return (
    <section class={isOld ? "draft-part old" : "draft-part"} aria-labelledby="draft-results-title">
      <h3 id="draft-results-title">Examples</h3>
      <p class="findings-status" role="status">
        {results.length === 0
          ? "Examples follow once every cell can be read."
          : changed === 0
            ? `All ${results.length} have the same result.`
            : `${changed} of ${results.length} change.`}
      </p>
      <ul class="draft-results">
        {results.map(([before, after], at) => (
          <li key={names[at]} class={isSameResult(before, after) ? "same" : "changed"}>
            <span class="draft-call">{names[at]}</span>
            <ChangedResult before={before} after={after} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ChangedResultProps {
  readonly before: TableResult;
  readonly after: TableResult;
}

/** A result, and what it was: of two objects, what differs. */
export function ChangedResult({ before, after }: ChangedResultProps) {
  if (isSameResult(before, after)) {
    return (
      <span class="draft-outcome">
        <Icon name="check" />
        Same result{after.status === "ERROR" ? ": an error" : ""}
      </span>
    );
  }
  return (
    <span class="draft-outcome">
      <Icon name={after.status === "ERROR" ? "warn" : "change"} />
      <span>
        {after.status === "ERROR" ? "Error" : "Now"} <code>{resultText(after, before)}</code> instead of{" "}
        <code>{resultText(before, after)}</code>
      </span>
    </span>
  );
}

const longestResult = 120;

function resultText({ status, data, message }: TableResult, other: TableResult): string {
  if (status === "ERROR") return message ?? "an error";
  if (status !== "OK") return status.replaceAll("_", " ").toLowerCase();
  const text =
    isObject(data) && isObject(other.data)
      ? differentText(data, other.data)
      : (JSON.stringify(data) ?? "nothing");
  return text.length > longestResult ? `${text.slice(0, longestResult)}…` : text;
}

function differentText(data: JsonObject, other: JsonObject): string {
  return [...new Set([...Object.keys(data), ...Object.keys(other)])]
    .filter((name) => !sameJson(own(data, name), own(other, name)))
    .map((name) => `${name}: ${JSON.stringify(own(data, name)) ?? "none"}`)
    .join(", ");
}
