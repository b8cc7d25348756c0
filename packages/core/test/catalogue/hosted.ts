import { z } from "zod";
import { createService, Handler, type SentProfile } from "../../src/host.js";
import { replyOf } from "../../src/http/reply.js";
import {
  DecernError,
  type Decision,
  defineDecision,
  type Origin,
  type ProfileResolver,
  type Reply,
  type RequestView,
} from "../../src/index.js";

/** A version of a decision whose rule tells the limit of its profile. */
export function version(
  number: string,
  { id = "loan", uses }: { id?: string; uses?: readonly Decision[] } = {},
) {
  return defineDecision({
    id,
    version: number,
    inputSchema: z.object({ amount: z.number().default(0) }),
    outputSchema: z.object({ limit: z.number(), tags: z.array(z.string()) }),
    profileSchema: z.object({ limit: z.number().default(1), tags: z.array(z.string()).default([]) }),
    uses,
    rules: [{ id: "r", when: () => true, emit: (_input, { limit, tags }) => ({ limit, tags }) }],
  });
}

/** As {@link version}, of a decision that cannot run without a profile. */
export function needing(
  number: string,
  { id = "loan", uses }: { id?: string; uses?: readonly Decision[] } = {},
) {
  return defineDecision({
    id,
    version: number,
    inputSchema: z.object({}),
    outputSchema: z.object({}),
    profileSchema: z.object({ limit: z.number() }),
    uses,
    rules: [{ id: "r", when: () => true, emit: () => ({}) }],
  });
}

type Options = Parameters<typeof createService>[1];

/** What is wrong with the options of a host, as path and message. */
export function problemsOf(options: Options, fromCallers = false): readonly (readonly [string, string])[] {
  try {
    const override = fromCallers ? "replace" : undefined;
    createService("host", { logger: { error() {} }, ...options }, { override });
  } catch (error) {
    if (error instanceof DecernError)
      return error.problems.map(({ path, message }) => [path, message] as const);
    throw error;
  }
  return [];
}

/** The paths of what is wrong. */
export function pathsOf(options: Options, fromCallers = false): readonly string[] {
  return problemsOf(options, fromCallers).map(([path]) => path);
}

export const request: RequestView = Object.freeze({
  method: "POST",
  path: "/decisions/loan",
  headers: Object.freeze({ "x-tenant": "north" }),
  ip: "192.0.2.1",
  identity: undefined,
});

/** How a host treats profiles of callers. */
interface Policy {
  readonly profileResolver?: ProfileResolver | undefined;
  readonly merges?: boolean | undefined;
}

/** A service with the decision `loan`, and how it replies to calls. */
export function choosing(options: Options, { profileResolver, merges = false }: Policy = {}) {
  const service = createService(
    "host",
    { logger: { error() {} }, hookTimeoutMs: 50, ...options, profileResolver },
    { override: merges ? "merge" : undefined },
  );
  const { catalogue, chooser } = service;
  const targetOf = (pinned?: string) => {
    const target = catalogue.find("loan", pinned);
    if (typeof target === "string") throw new Error(target);
    return target;
  };
  return {
    service,
    catalogue,
    targetOf,
    /** As the handler of the host chooses. */
    choose: (input: unknown, origin: Origin, sent?: SentProfile, pinned?: string) =>
      chooser.choose(targetOf(pinned), origin, input, sent, undefined),
    reply: async (
      sent: SentProfile | undefined,
      pinned: string | undefined,
      origin: Origin,
    ): Promise<Reply> => {
      const asking = { source: undefined, requestId: "req-1", origin: () => origin, input: () => ({}) };
      return replyOf(await new Handler(service).run({ ...asking, sent: () => sent }, targetOf(pinned)));
    },
  };
}
