import type { ReplaySource } from "../options.js";

/** Most profiles that are kept. One record needs a few. */
const maxProfiles = 500;

/** The profiles of hosts, as records name them. */
export class RecordedProfiles {
  readonly #source: ReplaySource;
  /** The least recently loaded first. */
  readonly #known = new Map<string, { readonly profile: unknown }>();

  constructor(source: ReplaySource) {
    this.#source = source;
  }

  /** @returns `undefined` for one that was not loaded yet */
  get(hash: string): { readonly profile: unknown } | undefined {
    return this.#known.get(hash);
  }

  /** A profile that the records lack is `undefined`. */
  async load(hash: string): Promise<void> {
    const profile = await this.#source.profile(hash);
    const [oldest] = this.#known.keys();
    if (this.#known.size === maxProfiles && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(hash, { profile });
  }
}
