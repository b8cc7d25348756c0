import type { Decision } from "@decern/core";
import { callOf } from "./call-of.js";
import type { Client } from "./client.js";
import type { ClientOptions } from "./client-options.js";

// `fetch` refuses such a URL, and its message has the password.
const userInfo = /\/\/[^/?#]*@/;

/**
 * Creates a client of a Decern service. It knows the decisions by their types alone: nothing of the service is imported
 * at run time, and no code is generated.
 *
 * @typeParam Decisions - `typeof decisions`, the list that is given to `createServer`
 * @throws TypeError for a `url` with a user or a password: they belong into `headers`
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
  if (userInfo.test(String(options.url))) {
    throw new TypeError("URL with password");
  }
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
