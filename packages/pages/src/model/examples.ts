import { exampleValue } from "../json/example-value.js";
import { isObject, type JsonObject, listOf, own, sameJson, textOf } from "../json/values.js";
import type { DocsDecision } from "./data.js";
import { metaOf, type Reply, statusOf } from "./reply.js";

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
    // Without its profile, it is not what its name says.
    return withProfiles ? [{ key, name, input, profile, ...expect }] : [];
  });
  if (named.length > 0) return named;
  const { inputSchema } = decision;
  const whole = listOf(inputSchema, "examples") ?? [];
  if (whole.length > 0)
    return whole.map((input, index) => ({ key: String(index), name: `Example ${index + 1}`, input }));
  return [{ key: "only", name: "Example", input: exampleValue(inputSchema, inputSchema) }];
}

/** Whether an example came out as its author expects, and what came out. */
export interface Proof {
  readonly asExpected: boolean;
  readonly outcome: string;
}

/** What an author expects, in a word: the rule, or else the status. */
export function expectedText(expect: JsonObject): string {
  return textOf(expect, "matchedRule") ?? (textOf(expect, "status") ?? "").replaceAll("_", " ");
}

/** Compares a reply with what an author expects. What the author does not name may be anything. */
export function proofOf(expect: JsonObject, reply: Reply): Proof {
  const rule = textOf(metaOf(reply), "matchedRule");
  const status = statusOf(reply);
  const data = isObject(reply.body) ? own(reply.body, "data") : undefined;
  const asExpected =
    status === textOf(expect, "status") &&
    (!Object.hasOwn(expect, "matchedRule") || rule === textOf(expect, "matchedRule")) &&
    (!Object.hasOwn(expect, "data") || sameJson(data, own(expect, "data")));
  return { asExpected, outcome: rule ?? status.replaceAll("_", " ") };
}
