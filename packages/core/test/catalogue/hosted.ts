import { z } from "zod";
import { CallChooser, type ProfilePolicy, prepareCatalogue } from "../../src/host.js";
import { DecernError, type Decision, defineDecision, type RequestView } from "../../src/index.js";

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

type Options = Parameters<typeof prepareCatalogue>[1];

/** What is wrong with the options of a host, as path and message. */
export function problemsOf(options: Options, fromCallers = false): readonly (readonly [string, string])[] {
  try {
    prepareCatalogue("host", { logger: { error() {} }, ...options }, [], { fromCallers });
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

/** A chooser for the decision `loan`, and its catalogue. */
export function choosing(options: Options, policy: ProfilePolicy = {}) {
  const catalogue = prepareCatalogue("host", { logger: { error() {} }, ...options }, []);
  const hosted = catalogue.get("loan");
  if (hosted === undefined) throw new Error("no such decision");
  return { catalogue, hosted, chooser: new CallChooser(catalogue, hosted, policy, hosted.shadow) };
}
