import type { DecisionRecord, UsedRecord } from "@decern/core";
import { canonicalJson } from "@decern/core/tools";
import type { DecisionLog } from "@decern/decision-log";

/** Most hashes that are remembered. Hosts have a handful of profiles. */
const maxRemembered = 100_000;

/** Writes records as lines, on request of a file that stands alone: each profile precedes the first record that uses it. */
export class RecordLines {
  readonly #profile: DecisionLog["profile"];
  readonly #written = new Set<string>();

  readonly #withProfiles: boolean;

  constructor(log: Pick<DecisionLog, "profile">, withProfiles: boolean) {
    this.#profile = (hash) => log.profile(hash);
    this.#withProfiles = withProfiles;
  }

  async write(record: DecisionRecord): Promise<string> {
    let text = "";
    for (const hash of this.#withProfiles ? profileHashes(record) : []) {
      if (!this.#written.has(hash)) text += await this.#profileLine(hash);
    }
    return `${text}${lineOf(record)}`;
  }

  async #profileLine(profileHash: string): Promise<string> {
    if (this.#written.size === maxRemembered) this.#written.clear();
    this.#written.add(profileHash);
    const profile = await this.#profile(profileHash);
    return profile === undefined ? "" : lineOf({ recordVersion: 1, profileHash, profile });
  }
}

/** Profiles that a record names by their hash only. Without a payload it needs none. */
function profileHashes({ profileHash, masked, payload }: DecisionRecord): readonly string[] {
  if (payload === null) return [];
  const hasNone = "profile" in payload || masked.includes("");
  return [...(hasNone ? [] : [profileHash]), ...usedHashes(payload.used)];
}

function usedHashes(used: readonly UsedRecord[] = []): readonly string[] {
  return used.flatMap((each) => [each.profileHash, ...usedHashes(each.used)]);
}

/** Canonical, so that the hashes of what was written can be checked again. */
function lineOf(value: object): string {
  return `${canonicalJson(value) ?? JSON.stringify(value)}\n`;
}
