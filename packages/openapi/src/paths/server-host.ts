import type { ServiceDescription } from "@decern/core/host";
import {
  commonResponses,
  ofDecision,
  ofVersion,
  securedResponses,
  unavailable,
} from "../components/common-responses.js";
import { responseRef } from "../components/shared-responses.js";
import type { CallHost } from "./call-host.js";

/** How the standalone server takes calls. */
export function serverHost(service: ServiceDescription): CallHost {
  const offered = new Map(Object.entries(service.callerProfiles ?? {}));
  const records = service.records === true;
  return {
    records,
    body: service.profileOverride === false ? "input" : "input and profile",
    // Merged, the profile of the body goes into the named one.
    eitherProfile: service.profileOverride !== "merge",
    profileNames: (decisionId) => offered.get(decisionId) ?? [],
    responses: (isPinned) => ({
      "400": responseRef("InvalidCall"),
      ...securedResponses(service),
      "403": responseRef("Forbidden"),
      ...(isPinned ? ofVersion : ofDecision),
      ...commonResponses,
      ...(records ? { "503": responseRef("CallUnavailable") } : unavailable),
      "413": responseRef("BodyTooLarge"),
      "415": responseRef("UnsupportedMediaType"),
      "500": responseRef("EvaluationFailed"),
      default: responseRef("Refused"),
    }),
  };
}
