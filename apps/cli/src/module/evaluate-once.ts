import { randomUUID } from "node:crypto";
import { createCatalogue, program, reevaluate } from "@decern/core/tools";
import { sentenceOf } from "../command-line/sentence-of.js";
import { chosenWork } from "./decision-work.js";
import type { DecisionModule } from "./load-module.js";

/** What to evaluate. */
interface Call {
  readonly id: string;
  /** @default the server's default version */
  readonly version: string | undefined;
  readonly input: unknown;
  /** Of a named profile. @default the default profile */
  readonly profileName: string | undefined;
  readonly now: Date;
}

/** The envelope, or why there is none. */
type Evaluated =
  | { readonly envelope: unknown; readonly isValid: boolean; readonly fault: undefined }
  | { readonly envelope: undefined; readonly fault: string };

/**
 * Evaluates a call as a server of the module would.
 *
 * @throws CommandError when the module does not have the decision, the version or the profile
 */
export function evaluateOnce(module: DecisionModule, call: Call): Evaluated {
  const { decision, profiles } = chosenWork(module, call);
  const catalogue = createCatalogue([decision], profiles);
  const { input, now } = call;
  const { result, error } = reevaluate(decision, {
    input,
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
