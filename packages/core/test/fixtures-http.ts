import {
  createRequestHandler,
  type Decision,
  type DecisionReply,
  type EvaluatorOptions,
  type RequestReader,
  Runner,
} from "../src/index.js";

/** Sends one request through the handler of a decision, as an adapter would. */
export async function send<Output>(
  decision: Decision<unknown, Output>,
  reader: Partial<RequestReader<unknown>>,
  options: EvaluatorOptions = {},
  onResult?: Parameters<ReturnType<typeof createRequestHandler<unknown, Output>>>[2],
): Promise<DecisionReply<Output>> {
  const handler = createRequestHandler(new Runner(options), decision, { input: () => ({}), ...reader });
  return handler({}, "req-1", onResult);
}
