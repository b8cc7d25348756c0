import { program, type UsedEvaluation } from "../definition/decision.js";
import type { Evaluation } from "../evaluation/evaluation.js";
import type { Result } from "../program/result.js";
import { type DecisionReply, type ReplyEncoder, replyEncoder } from "./decision-reply.js";

/** About how many characters of evaluations one trace has. A decision may pass all of a large input on a thousand times. */
const maxCharacters = 1_000_000;

/**
 * Writes `{ envelope, used }`: the envelope, and every evaluation that rules made of other decisions. A trace that is too
 * long ends early and says `truncated`.
 */
export const tracingReplyEncoder = {
  ...replyEncoder,
  result<Output>(result: Result<Output>, evaluation: Evaluation): DecisionReply<Output> {
    const reply = replyEncoder.result(result, evaluation);
    const trace = new TraceText();
    const used = trace.list(evaluation.used);
    const end = trace.isTruncated ? `,"truncated":true}` : "}";
    return { ...reply, body: `{"envelope":${reply.body},"used":${used}${end}` };
  },
} as const satisfies ReplyEncoder;

class TraceText {
  #left = maxCharacters;
  isTruncated = false;

  list(used: readonly UsedEvaluation[]): string {
    const entries: string[] = [];
    for (const one of used) {
      if (this.#left <= 0) {
        this.isTruncated = true;
        break;
      }
      entries.push(this.#entry(one));
    }
    return `[${entries.join()}]`;
  }

  #entry({ decision, input, result, used }: UsedEvaluation): string {
    const names = `"decisionId":${JSON.stringify(decision.id)},"version":${JSON.stringify(decision.version)}`;
    const own = `{${names},"input":${inputText(input)},"envelope":${envelopeText(decision[program], result)}`;
    this.#left -= own.length;
    return `${own},"used":${this.list(used)}}`;
  }
}

/** Rules may pass anything on. What JSON cannot carry must not fail a call that has succeeded. */
function inputText(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "null";
  } catch {
    return "null";
  }
}

function envelopeText(writer: UsedEvaluation["decision"][typeof program], result: Result): string {
  try {
    return writer.stringify(result);
  } catch {
    // `data` has no JSON form, and nobody sends it: only the decision that used it is replied.
    const { status, meta } = result;
    return JSON.stringify({ status, meta });
  }
}
