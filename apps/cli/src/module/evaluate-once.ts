import { randomUUID } from "node:crypto";
import { createCatalogue, program, reevaluate } from "@decern/core/host";
import { sentenceOf } from "../command-line/sentence-of.js";
import { chooseDecision } from "./choose-decision.js";
import type { DecisionModule } from "./load-module.js";

/** What to evaluate. */
interface Call {
  readonly id: string;
  /** @default the server's default version */
  readonly version: string | undefined;
  readonly input: unknown;
  /** @default that of the module */
  readonly profile: unknown;
  readonly now: Date;
}

/** The envelope, or why there is none. */
type Evaluated =
  | { readonly envelope: unknown; readonly isValid: boolean; readonly fault: undefined }
  | { readonly envelope: undefined; readonly fault: string };

/**
 * Evaluates a call as a server of the module would.
 *
 * @throws CommandError when the module does not have the decision or the version
 */
export function evaluateOnce({ decisions, profiles, versions }: DecisionModule, call: Call): Evaluated {
  const catalogue = createCatalogue(decisions, profiles, versions);
  const decision = chooseDecision(catalogue, call);
  const { input, profile, now } = call;
  const { result, error } = reevaluate(decision, {
    input,
    profile,
    profiles: catalogue.profiles,
    epochMs: now.getTime(),
    requestId: randomUUID(),
  });
  if (error !== undefined) {
    const reason = error.cause === undefined ? "" : `: ${sentenceOf(error.cause)}`;
    return { envelope: undefined, fault: `${sentenceOf(error)}${reason}` };
  }
  const isValid = !result.status.startsWith("INVALID_");
  return { envelope: JSON.parse(decision[program].stringify(result)), isValid, fault: undefined };
}
