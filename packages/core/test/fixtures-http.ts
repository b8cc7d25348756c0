import { createRequestHandler, type DecisionReply, type RequestReader, Runner } from "../src/host.js";
import type { Decision, EvaluatorOptions, Result } from "../src/index.js";

/** Sends one request through the handler of a decision, as an adapter would. */
export async function send<Output>(
  decision: Decision<unknown, Output>,
  reader: Partial<RequestReader<unknown>>,
  options: EvaluatorOptions = {},
  onResult?: ((result: Result<Output>) => unknown) | undefined,
): Promise<DecisionReply<Output>> {
  const handler = createRequestHandler(new Runner(options), decision, {
    input: () => ({}),
    ...reader,
  });
  return handler.handle({}, "req-1", onResult);
}
