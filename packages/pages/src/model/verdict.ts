import { textOf } from "./json.js";
import { issuesOf, messageOf, metaOf, type Reply, statusOf } from "./reply.js";

/** What a reply says, for people: who decided, and why. */
export interface Verdict {
  /** The rule that decided, where one did. */
  readonly rule: string | undefined;
  /** What to say where no rule decided. */
  readonly title: string;
  readonly reason: string | undefined;
  /** Whether the same call may get another answer later. */
  readonly mayPass: boolean;
}

const titles: Readonly<Record<string, string>> = {
  NO_MATCH: "No rule matched",
  INVALID_INPUT: "The input is not valid",
  INVALID_PROFILE: "The profile is not valid",
  EVALUATION_FAILED: "The decision failed",
  "NO RESPONSE": "No response",
};

export function verdictOf(reply: Reply): Verdict {
  const meta = metaOf(reply);
  const rule = textOf(meta, "matchedRule");
  const status = statusOf(reply);
  const mayPass = reply.httpStatus === 0 || reply.httpStatus === 429 || reply.httpStatus >= 500;
  if (rule !== undefined) return { rule, title: "", reason: textOf(meta, "explanation"), mayPass };
  const wrong = [...issuesOf(reply, "input"), ...issuesOf(reply, "profile")].length;
  const title = titles[status] ?? (mayPass ? "The service could not answer" : "The service refused the call");
  const reason =
    wrong > 0 ? `${wrong} ${wrong === 1 ? "value needs" : "values need"} a change` : messageOf(reply);
  return { rule: undefined, title, reason: reason ?? unreadable(reply), mayPass };
}

/** A proxy, say, replied with a page of its own. */
function unreadable({ httpStatus, body }: Reply): string | undefined {
  return body === undefined ? `The reply with HTTP status ${httpStatus} is not JSON` : undefined;
}

/** One sentence for screen readers. */
export function announce(reply: Reply): string {
  const { rule, title, reason } = verdictOf(reply);
  const status = statusOf(reply).replaceAll("_", " ");
  const subject = rule === undefined ? title : `${rule} decided`;
  return `${status}. ${subject}${reason === undefined ? "" : `: ${reason}`}`;
}
