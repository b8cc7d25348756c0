import type { ComponentChildren } from "preact";
import { OutputData } from "../answer/output-data.js";
import type { DocsNamedProfile } from "../model/data.js";
import type { JsonObject } from "../model/json.js";
import { isObject } from "../model/json.js";

interface HostProfileProps {
  readonly schema: JsonObject;
  /** The one that applies. Undefined until the host has loaded its profiles. */
  readonly profile: unknown;
  readonly namedProfiles: readonly DocsNamedProfile[];
  readonly name: string | undefined;
  readonly onName: (name: string | undefined) => void;
  /** What can be done with it, above its values. */
  readonly children: ComponentChildren;
}

/** The profile of the host that a call uses, and a menu where callers may choose one. */
export function HostProfile({ schema, profile, namedProfiles, name, onName, children }: HostProfileProps) {
  const isOffered = name === undefined || namedProfiles.some((one) => one.name === name);
  return (
    <section class="editor" aria-labelledby="host-profile-title">
      <div class="editor-head">
        <h3 id="host-profile-title">Profile</h3>
        {namedProfiles.length === 0 && isOffered ? (
          <span class="tag">default</span>
        ) : (
          <span class="menu">
            {/* A profile's name is not empty, so the empty value stands for the default. */}
            <select
              aria-labelledby="host-profile-title"
              value={name ?? ""}
              onChange={({ currentTarget: { value } }) => onName(value === "" ? undefined : value)}
            >
              <option value="">default</option>
              {namedProfiles.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.name}
                </option>
              ))}
              {isOffered ? null : <option value={name}>{name} (not offered)</option>}
            </select>
          </span>
        )}
      </div>
      {children}
      <ProfileValue schema={schema} profile={profile} isOffered={isOffered} name={name} />
    </section>
  );
}

function ProfileValue({
  schema,
  profile,
  isOffered,
  name,
}: Pick<HostProfileProps, "schema" | "profile" | "name"> & { readonly isOffered: boolean }) {
  if (!isOffered) return <p class="field-description">This version has no profile "{name}" for callers.</p>;
  if (profile === undefined)
    return <p class="field-description">The service has not loaded its profiles yet.</p>;
  if (isObject(profile) && Object.keys(profile).length === 0)
    return <p class="field-description">No default profile. The schema's defaults apply.</p>;
  return (
    <section aria-label={name === undefined ? "Default profile" : `Profile ${name}`}>
      <OutputData data={profile} schema={schema} />
    </section>
  );
}
