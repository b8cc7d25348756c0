export type { LoadProfiles, ProfileSet } from "./custom-loader.js";
export { readProfileDocument } from "./document.js";
export type { ProfileLoadContext, WakeProfiles } from "./loaders.js";
export { type WatchProfilesOptions, watchProfiles } from "./watch-profiles.js";
