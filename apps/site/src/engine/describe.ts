import { type Decision, describeDecision, extractDecisionSchema, toJsonSchema } from "@decern/core";
import { program } from "@decern/core/tools";
import type { OpenedDecision } from "./messages.js";

/** A decision as the form and the outcome show it. */
export function describeOpened(decision: Decision): OpenedDecision {
  const { version, ruleIds, ruleDescriptions, uses } = decision;
  const { content } = decision[program];
  return {
    ...describeDecision(decision),
    ...extractDecisionSchema(decision),
    ruleIds,
    ...(ruleDescriptions.size === 0 ? {} : { ruleDescriptions: Object.fromEntries(ruleDescriptions) }),
    versions: [{ version, default: true }],
    uses: uses.map((used) => ({ id: used.id, version: used.version })),
    defaultProfile: decision[program].boundProfile ?? {},
    namedProfiles: [],
    ...(content === undefined
      ? {}
      : {
          mediaType: content.mediaType,
          content: {
            ...content,
            inputSchema: toJsonSchema(decision.inputSchema, "output"),
            outputSchema: toJsonSchema(decision.outputSchema, "input"),
            profileSchema: toJsonSchema(decision.profileSchema, "output"),
          },
        }),
  };
}
