import { DecernError, type Decision } from "@decern/core";
import {
  asThrowable,
  type DecisionReply,
  type EvaluationCall,
  handleCall,
  isThenable,
  type Runner,
  replyTogether,
  tableReply,
} from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { LoadGate } from "../overload/load-gate.js";
import { sendError, sendJson } from "../replies/send.js";

const missingInput = JSON.stringify({ error: tableReply("MISSING_INPUT").message });

/** Serves `POST /decisions/:id`. Nothing is awaited where nothing is asynchronous. */
export function evaluationRoute(
  app: FastifyInstance,
  catalogue: ReadonlyMap<string, Decision>,
  runner: Runner,
  profileOverride: boolean,
  load: LoadGate | undefined,
): void {
  app.post<{ Params: { id: string } }>("/decisions/:id", (request, reply) => {
    const { body, params } = request;
    const decision = catalogue.get(params.id);
    if (decision === undefined) throw new DecernError("DECISION_NOT_FOUND");
    if (!isJsonObject(body) || !Object.hasOwn(body, "input")) {
      sendJson(reply, 400, missingInput);
      return;
    }
    let call: EvaluationCall = { input: body["input"] };
    // Present is present, also when it is null or false.
    if (Object.hasOwn(body, "profile")) {
      if (!profileOverride) {
        sendError(reply, tableReply("PROFILE_OVERRIDE_FORBIDDEN"));
        return;
      }
      call = { input: body["input"], profile: body["profile"] };
    }
    const answer = handleCall(runner, decision, call, request.id);
    if (isThenable(answer)) {
      answer.then(
        (settled) => send(request, reply, settled, load),
        (thrown: unknown) => reply.send(asThrowable(thrown)),
      );
    } else {
      send(request, reply, answer, load);
    }
  });
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: DecisionReply,
  load: LoadGate | undefined,
): void {
  // A place is for work, not for a reply that waits for the others of its turn.
  load?.leave(reply.raw);
  replyTogether(
    () => {
      if (reply.sent) return;
      // A hook may have given the request another id.
      if (answer.requestId !== request.id) reply.header("x-request-id", answer.requestId);
      sendJson(reply, answer.status, answer.body);
    },
    // What is no error would be sent as a reply, with 200.
    (thrown) => reply.send(asThrowable(thrown)),
  );
}
