export type { Replay, ReplayedLog } from "./comparisons.js";
export type { DecisionSet, LoadSet, ProfileSet } from "./custom-loader.js";
export { readProfileDocument } from "./document.js";
export type { ActivateOptions } from "./gate.js";
export type { LoadContext, WakeSource } from "./place.js";
export { type WatchDecisionsOptions, watchDecisions } from "./watch-decisions.js";
export { type WatchProfilesOptions, watchProfiles } from "./watch-profiles.js";
