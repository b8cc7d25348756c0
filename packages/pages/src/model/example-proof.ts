import { isObject, type JsonObject, own, sameJson, textOf } from "./json.js";
import { metaOf, type Reply, statusOf } from "./reply.js";

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
