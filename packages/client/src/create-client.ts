import type { Decision } from "@decern/core";
import type { CallOptions, Client, ClientOptions, DecisionCall, SendOptions } from "./client.js";
import { post, sleep } from "./post.js";
import { readBatch, readEnvelope, readLines } from "./read-reply.js";

// Small enough to be sent again whole, and large enough that the cost of a request is small compared with its content.
const mostLines = 1000;

const mostText = 250_000;

/** How long an input waits for others to be sent with, in milliseconds: a slow source delays only what it has not given. */
const patienceMs = 20;

/** Writes inputs as lines of NDJSON, as many at a time as one request should have. */
async function* chunksOf(
  inputs: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<readonly string[], void, undefined> {
  const source = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
  let pending: Promise<IteratorResult<unknown>> | IteratorResult<unknown> | undefined;
  try {
    for (let ended = false; !ended; ) {
      const lines: string[] = [];
      let size = 0;
      const full = new AbortController();
      let patience: Promise<undefined> | undefined;
      while (lines.length < mostLines && size < mostText) {
        pending ??= source.next();
        const step = await (patience === undefined ? pending : Promise.race([pending, patience]));
        if (step === undefined) break;
        pending = undefined;
        ended = step.done === true;
        if (ended) break;
        const line = JSON.stringify(step.value ?? null);
        lines.push(line);
        size += line.length;
        patience ??= sleep(patienceMs, full.signal);
      }
      full.abort();
      if (lines.length > 0) yield lines;
    }
  } finally {
    // Not awaited: a source may never give another input, nor end.
    void Promise.allSettled([pending, source.return?.()]);
  }
}

const json = "application/json";

/** Makes the function that evaluates a decision of a service. */
function callOf(client: ClientOptions, id: string): DecisionCall {
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

// `fetch` rejects such a URL, and its message has the password.
const userInfo = /\/\/[^/?#]*@/;

const urlOrPath = /^(?:https?:\/)?\//i;

/**
 * Creates a client of a Decern service. It knows the decisions by their types alone: nothing of the service is imported
 * at run time, and no code is generated.
 *
 * @typeParam Decisions - `typeof decisions`, the list that is given to `createServer`
 * @throws TypeError for a `url` with a user or a password: put them into `headers`; and for one that is neither `http:` nor
 *   `https:` nor a path
 *
 * @example
 * ```ts
 * import { createClient } from "@decern/client";
 * import type { decisions } from "./decisions.js";
 *
 * const decern = createClient<typeof decisions>({ url: "https://decisions.example.com" });
 * const result = await decern["loan-approval"]({ amount: 9000, score: 700 });
 * if (result.status === "OK") console.log(result.data.approved);
 * ```
 */
export function createClient<const Decisions extends readonly Decision[]>(
  options: ClientOptions,
): Client<Decisions> {
  const url = String(options.url);
  if (userInfo.test(url)) throw new TypeError("URL with password");
  if (!urlOrPath.test(url)) throw new TypeError(`Neither an HTTP URL nor a path: "${url}"`);
  const target: Client<Decisions> = Object.create(null);
  return new Proxy(target, {
    get(calls, id) {
      // `await` and `JSON.stringify` ask any object for these. A function there would be called, and send a request.
      const isId = typeof id === "string" && id !== "then" && id !== "toJSON";
      // Kept, so that a decision's function is the same each time: it may be a dependency of an effect.
      if (isId && !(id in calls)) Reflect.set(calls, id, callOf(options, id));
      return Reflect.get(calls, id);
    },
  });
}
