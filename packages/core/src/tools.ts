export { canonicalForm, canonicalJson, isSameJson } from "./base/canonical-json.js";
export { calculate, roundTo } from "./base/decimal.js";
export { FileLock, hasCode, syncDirectory } from "./base/disk.js";
export { neverThrowing, readable } from "./base/faults.js";
export { jsonSize } from "./base/json.js";
export { isThenable, runInSlices, withDeadline } from "./base/time.js";

export { isDecision, program } from "./decision/decision.js";
export { withDocument } from "./decision/define-decision.js";
export { usedBy } from "./decision/describe.js";
export { evaluateCall, probe } from "./decision/evaluate.js";
export { isSameOutcome, outcomeOf, WatchedDecision } from "./decision/reevaluation.js";
export { compactText } from "./decision/result.js";
export { createGeneration } from "./service/check-generation.js";
export { mergePatch } from "./service/choice.js";
export { sourceOf } from "./service/generation-source.js";
export { parseProfileKey } from "./service/profiles.js";
export {
  readRecord,
  withOwnProfile,
} from "./service/records.js";
