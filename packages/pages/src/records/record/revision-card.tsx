import { JsonCode } from "../../parts/json-code.js";
import { Facts } from "./facts.js";

interface RevisionCardProps {
  readonly version: string;
  readonly build: string | undefined;
  readonly profileHash: string;
  /** Undefined where it is not kept. */
  readonly profile: unknown;
  /** Whether the caller sent it. */
  readonly isOwn: boolean;
}

/** What decided: the version, the build and the profile. */
export function RevisionCard({ version, build, profileHash, profile, isOwn }: RevisionCardProps) {
  return (
    <section class="card" aria-labelledby="revision-title">
      <div class="card-head">
        <h2 id="revision-title">Revision</h2>
      </div>
      <Facts
        facts={[
          { name: "Version", value: <code>{version}</code> },
          { name: "Build", value: build === undefined ? undefined : <code>{build}</code> },
          { name: "Profile", value: isOwn ? "Sent by the caller" : "The service's" },
          { name: "Profile hash", value: <code>{profileHash}</code> },
        ]}
      />
      {profile === undefined ? (
        <p class="field-description">The profile is not kept. Its hash tells it from others.</p>
      ) : (
        <JsonCode value={profile} label="Profile" />
      )}
    </section>
  );
}
