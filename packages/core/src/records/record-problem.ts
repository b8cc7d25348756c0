import type { DecisionRecord } from "./decision-record.js";

/** Something that stands where a record should be. */
export interface UnreadableRecord {
  /** Where it is, such as a file and a line. */
  readonly at: string;
  /** Why it isn't a record. It quotes nothing of it. */
  readonly reason: string;
}

const selections = new Set<unknown>(["default", "path", "select", "shadow"]);
const statuses = new Set<unknown>(["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE", "ERROR"]);

/** What each member must be. */
const members: readonly (readonly [
  name: keyof DecisionRecord,
  expected: string,
  test: (value: unknown) => boolean,
])[] = [
  ["recordId", "a text", isText],
  ["recordedAt", "an instant", (value) => isText(value) && !Number.isNaN(Date.parse(value))],
  ["requestId", "a text", isText],
  ["traceparent", "a text", isOptionalText],
  ["caller", "a text", isOptionalText],
  ["build", "a text", isOptionalText],
  ["profileHash", "a text", isText],
  ["selectedBy", "default, path, select or shadow", (value) => selections.has(value)],
  ["shadowOf", "a text", isOptionalText],
  ["status", "a status", (value) => statuses.has(value)],
  ["matchedRule", "a text", isOptionalText],
  ["durationSeconds", "a number", (value) => typeof value === "number"],
  ["sampleRate", "above 0 and at most 1", (value) => typeof value === "number" && value > 0 && value <= 1],
  ["subject", "a text", isOptionalText],
  ["masked", "a list of texts", (value) => Array.isArray(value) && value.every(isText)],
  ["payload", "an object or null", (value) => typeof value === "object" && !Array.isArray(value)],
  ["payloadHash", "a text", isText],
  ["previousHash", "a text or null", (value) => value === null || isText(value)],
  ["hash", "a text", isText],
];

/** Says why a value isn't a record, such as a line of a file that anybody may have written; `undefined` for a record. */
export function recordProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "it is not a JSON object";
  if (Reflect.get(value, "recordVersion") !== 1) return "recordVersion is not 1";
  const decision: unknown = Reflect.get(value, "decision");
  const isNamed =
    typeof decision === "object" &&
    decision !== null &&
    isText(Reflect.get(decision, "id")) &&
    isText(Reflect.get(decision, "version"));
  if (!isNamed) return "decision must have an id and a version";
  for (const [name, expected, test] of members)
    if (!test(Reflect.get(value, name))) return `${name} must be ${expected}`;
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || isText(value);
}
