import type { CallOptions, SendOptions } from "./call-options.js";
import { chunksOf } from "./chunks.js";
import type { DecisionCall } from "./client.js";
import type { ClientOptions } from "./client-options.js";
import { post } from "./post.js";
import { readBatch, readEnvelope, readLines } from "./read-reply.js";

const json = "application/json";

/** Makes the function that evaluates a decision of a service. */
export function callOf(client: ClientOptions, id: string): DecisionCall {
  const one = async (input: unknown, options: CallOptions = {}) => {
    // Without an input, the service would not validate. `null` is the nearest that JSON has.
    const body = bodyOf({ input: input ?? null }, options);
    return post(client, id, { type: json, body, read: readEnvelope }, options);
  };

  const batch = async (inputs: readonly unknown[], options: CallOptions = {}) => {
    const body = bodyOf({ inputs }, options);
    const read = (response: Response, text: string) => readBatch(response, text, inputs.length);
    return post(client, id, { path: "/batch", type: json, body, read }, options);
  };

  async function* stream(inputs: Iterable<unknown> | AsyncIterable<unknown>, options: SendOptions = {}) {
    for await (const lines of chunksOf(inputs)) {
      const body = `${lines.join("\n")}\n`;
      const read = (response: Response, text: string) => readLines(response, text, lines.length);
      yield* await post(client, id, { path: "/batch", type: "application/x-ndjson", body, read }, options);
    }
  }

  return Object.assign(one, { batch, stream });
}

function bodyOf(inputs: object, { profile, profileName }: CallOptions): string {
  return JSON.stringify({ ...inputs, profile, profileName });
}
