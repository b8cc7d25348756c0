import type { FacadeRequest } from "@decern/core";
import type { AccessJudge, Judgement } from "./access-judge.js";
import { RequestProblem } from "./access-request.js";
import type { Evaluations } from "./read-evaluations.js";

/** How many are evaluated at once. Other requests get their turn in between. */
const together = 16;

/** Judges several requests, in order, until the semantic says that the answer is known. */
export async function judgeAll(
  { semantic, requests }: Evaluations,
  judge: AccessJudge,
  request: FacadeRequest,
): Promise<readonly Judgement[]> {
  const judged: Judgement[] = [];
  const atOnce = semantic === "execute_all" ? together : 1;
  for (let start = 0; start < requests.length; start += atOnce) {
    if (start > 0 && start % together === 0) await nextTurn();
    const part = requests.slice(start, start + atOnce);
    judged.push(
      ...(await Promise.all(
        part.map((access) => (access instanceof RequestProblem ? refused(access) : judge(access, request))),
      )),
    );
    const last = judged.at(-1);
    if (semantic === "deny_on_first_deny" && last?.decision !== true) break;
    if (semantic === "permit_on_first_permit" && last?.decision === true) break;
  }
  return judged;
}

function refused({ message }: RequestProblem): Judgement {
  return { decision: false, failure: { status: 400, message }, headers: undefined };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
