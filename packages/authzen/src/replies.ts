import type { FacadeHeaders, FacadeReply } from "@decern/core";
import type { Judgement } from "./access-judge.js";

/** The answer to a single request. What could not be judged is an error of HTTP. */
export function singleReply(judgement: Judgement, headers: FacadeHeaders): FacadeReply {
  const { failure } = judgement;
  const more = judgement.headers;
  if (failure !== undefined) return errorReply(failure.status, failure.message, headers, more);
  const { decision, context } = judgement;
  return { status: 200, body: JSON.stringify({ decision, context }), headers: { ...more, ...echo(headers) } };
}

/** The answer to several requests, in which an error is told in the place of its request. */
export function evaluationsReply(judgements: readonly Judgement[], headers: FacadeHeaders): FacadeReply {
  const evaluations = judgements.map((judgement) =>
    judgement.failure === undefined
      ? { decision: judgement.decision, context: judgement.context }
      : { decision: false, context: { error: judgement.failure } },
  );
  return { status: 200, body: JSON.stringify({ evaluations }), headers: echo(headers) };
}

/** An error of HTTP: its body is the message, a JSON string. */
export function errorReply(
  status: number,
  message: string,
  headers: FacadeHeaders,
  more?: Readonly<Record<string, string>> | undefined,
): FacadeReply {
  return { status, body: JSON.stringify(message), headers: { ...more, ...echo(headers) } };
}

/** The specification takes any text as a request id, and wants it back. Decern's own ids are stricter. */
export function echo({ "x-request-id": id }: FacadeHeaders): Readonly<Record<string, string>> {
  return typeof id === "string" && id !== "" ? { "x-request-id": id } : {};
}
