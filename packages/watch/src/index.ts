export type { DecisionSet, LoadSet, ProfileSet } from "./custom-loader.js";
export { readProfileDocument } from "./document.js";
export type { ActivateOptions, Replay, ReplayedLog } from "./gate.js";
export type { LoadContext, WakeSource } from "./place.js";
export { type WatchDecisionsOptions, watchDecisions } from "./watch-decisions.js";
export { type WatchProfilesOptions, watchProfiles } from "./watch-profiles.js";
