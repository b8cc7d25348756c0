import { checkOptions, type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import type { Candidate, ReplayOptions, ReplaySource } from "./options.js";

const { anything, callback, listOf, object, withMethods } = optionKinds;

const share: OptionKind = (value, path) =>
  typeof value === "number" && value >= 0 && value <= 1
    ? []
    : [{ path, message: "must be a number from 0 to 1" }];

const count: OptionKind = (value, path) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 1000
    ? []
    : [{ path, message: "must be a whole number from 0 to 1000" }];

const pointerPattern = /^(?:\/(?:[^~/]|~[01])*)+$/;

const pointer: OptionKind = (value, path) =>
  typeof value === "string" && pointerPattern.test(value)
    ? []
    : [{ path, message: 'must be a JSON Pointer, such as "/input/wasFraud"' }];

const signal: OptionKind = (value, path) =>
  value instanceof AbortSignal ? [] : [{ path, message: "must be an AbortSignal" }];

const kinds: OptionTable<ReplayOptions> = {
  query: object,
  baseline: listOf(anything),
  allow: share,
  maxInconclusive: share,
  label: pointer,
  prediction: pointer,
  examples: count,
  onDifference: callback,
  onProgress: callback,
  signal,
};

const candidateKinds: OptionTable<Candidate> = {
  decisions: listOf(anything),
  profiles: object,
  versions: object,
};

const sourceKind = withMethods("find", "profile");

/**
 * `createCatalogue` checks what is inside a candidate.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkReplay(source: ReplaySource, candidate: unknown, options: unknown): void {
  const sources: OptionTable<{ readonly source: ReplaySource }> = { source: sourceKind };
  checkOptions("replay: records", { source }, { kinds: sources });
  checkOptions("replay: candidate", candidate, { kinds: candidateKinds, required: ["decisions"] });
  checkOptions("replay: options", options, { kinds });
}
