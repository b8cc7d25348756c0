export type {
  Boundary,
  Exploration,
  ExploredFault,
  ExploreOptions,
  RuleCoverage,
  RuleOverlap,
  Witness,
} from "./explore/exploration.js";
export { explore } from "./explore/explore.js";
export { type DecisionExample, examples, inputs } from "./explore/inputs.js";
export { checkLock } from "./lock/check-lock.js";
export type {
  DecisionLock,
  LockCheck,
  LockDifference,
  LockedDecision,
  LockedEnvelope,
  LockedModule,
  LockedVersion,
  LockOptions,
  LockUpdate,
  UnchangingCondition,
} from "./lock/lock.js";
export { readLock, writeLock } from "./lock/lock-file.js";
export { updateLock } from "./lock/update-lock.js";
