import type { ProfileDocument } from "./profile-document.js";

/** What a load is told. */
export interface ProfileLoadContext {
  /** The entity tag that came with the set that was accepted last; absent where that had none. */
  readonly etag?: string;
  /** Aborts when the load takes too long, or the host closes. */
  readonly signal: AbortSignal;
}

/** What a load found. */
export interface LoadedProfiles {
  /** Equal texts are the same set: what is in use is not accepted again, and what was refused is not reported again. */
  readonly text: string;
  readonly etag: string | undefined;
  /** @throws DecernError for a text that is no document */
  read(): ProfileDocument;
}

/** Reads one place that has profiles. */
export interface ProfileLoader {
  /** The place, for messages. No secrets. */
  readonly name: string;
  /** Loads without waiting, where the place allows it. */
  loadNow?(): LoadedProfiles;
  /** @returns `undefined` when the set with the tag in the context is still the one to use */
  load(context: ProfileLoadContext): Promise<LoadedProfiles | undefined>;
}
