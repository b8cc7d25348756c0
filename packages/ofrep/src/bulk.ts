import { createHash } from "node:crypto";
import type { FacadeReply, FacadeRequest } from "@decern/core";
import { matchesETag } from "@decern/core/host";
import type { EvaluatedFlag } from "./flag-answer.js";
import type { FlagEvaluator } from "./flag-evaluator.js";
import type { EvaluationContext } from "./options.js";

/** How many are evaluated at once. Other requests get their turn in between. */
const together = 16;

/** Answers for every flag. What fails of one flag is told in its place. */
export async function answerBulk(
  evaluators: readonly FlagEvaluator[],
  context: EvaluationContext,
  request: FacadeRequest,
): Promise<FacadeReply> {
  const evaluated: EvaluatedFlag[] = [];
  for (let start = 0; start < evaluators.length; start += together) {
    if (start > 0) await nextTurn();
    const part = evaluators.slice(start, start + together);
    evaluated.push(...(await Promise.all(part.map((evaluate) => evaluate(context, request)))));
  }
  const body = JSON.stringify({ flags: evaluated.map(({ answer }) => answer) });
  // A fault may pass by itself, so that nobody should hold on to it.
  if (evaluated.some(({ status }) => status >= 500)) return { status: 200, body };
  const etag = etagOf(context, body);
  const { "if-none-match": known } = request.headers;
  if (typeof known === "string" && matchesETag(known, etag)) return { status: 304, headers: { etag } };
  return { status: 200, body, headers: { etag } };
}

/** Equal only for the same flags of the same context: a provider keeps what it has, and takes it for those of its context. */
function etagOf(context: EvaluationContext, body: string): string {
  const hash = createHash("sha256").update(JSON.stringify(context)).update("\n").update(body);
  return `"${hash.digest("base64url")}"`;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
