import { exampleValue } from "../schema/example-value.js";
import type { DocsDecision } from "./data.js";
import { isObject, type JsonObject, listOf, own, textOf } from "./json.js";

/** An example call. */
export interface WorkedExample {
  /** Unique, because two examples may have the same name. */
  readonly key: string;
  readonly name: string;
  readonly input: unknown;
  /** Absent when the default profile applies. */
  readonly profile?: unknown;
  /** What its author expects: a status and, maybe, a rule and data. Absent where the author says nothing. */
  readonly expect?: JsonObject;
}

/** The author's `meta.examples`, else the examples of the input schema, else one derived from the schema. */
export function workedExamples(decision: DocsDecision, withProfiles: boolean): readonly WorkedExample[] {
  const given = decision.meta === undefined ? undefined : listOf(decision.meta, "examples");
  const named = (given ?? []).flatMap((entry, index): WorkedExample[] => {
    if (!isObject(entry) || !Object.hasOwn(entry, "input")) return [];
    const name = textOf(entry, "name") ?? `Example ${index + 1}`;
    const { input, profile } = entry;
    const key = String(index);
    const expected = own(entry, "expect");
    const expect = isObject(expected) && textOf(expected, "status") !== undefined ? { expect: expected } : {};
    if (profile === undefined) return [{ key, name, input, ...expect }];
    // Without its profile, nobody knows what comes out.
    return [withProfiles ? { key, name, input, profile, ...expect } : { key, name, input }];
  });
  if (named.length > 0) return named;
  const { inputSchema } = decision;
  const whole = listOf(inputSchema, "examples") ?? [];
  if (whole.length > 0)
    return whole.map((input, index) => ({ key: String(index), name: `Example ${index + 1}`, input }));
  return [{ key: "only", name: "Example", input: exampleValue(inputSchema, inputSchema) }];
}
