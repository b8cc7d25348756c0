import type { DocsNamedProfile } from "../../../src/docs/docs-data.js";
import type { Edited } from "../model/edited.js";
import type { JsonObject } from "../model/json.js";
import type { Issue } from "../model/reply.js";
import { HostProfile } from "./host-profile.js";
import { ValueEditor } from "./value-editor.js";

interface ProfileEditorProps {
  readonly schema: JsonObject;
  /** Undefined until the host has loaded its profiles. */
  readonly defaultProfile: unknown;
  readonly namedProfiles: readonly DocsNamedProfile[];
  /** The name of the chosen profile. Undefined for the default one. */
  readonly name: string | undefined;
  /** Whether callers may send a profile. */
  readonly allowed: boolean;
  /** Whether a profile that callers send is merged into the host's. */
  readonly merges: boolean;
  /** Absent while the host's profile applies as it is. */
  readonly edited: Edited | undefined;
  readonly issues: readonly Issue[];
  readonly onChange: (edited: Edited | undefined) => void;
  readonly onName: (name: string | undefined) => void;
}

/** Shows the host's profile, and edits the one that replaces it or is merged into it. */
export function ProfileEditor({
  schema,
  defaultProfile,
  namedProfiles,
  name,
  allowed,
  merges,
  edited,
  issues,
  onChange,
  onName,
}: ProfileEditorProps) {
  const chosen = namedProfiles.find((one) => one.name === name);
  const profile = chosen === undefined ? defaultProfile : chosen.profile;
  return (
    <div class="profile">
      {edited === undefined || merges ? (
        <HostProfile profile={profile} namedProfiles={namedProfiles} name={name} onName={onName} />
      ) : null}
      {edited === undefined ? null : (
        <ValueEditor
          part="profile"
          title={merges ? "Profile changes" : "Profile"}
          schema={schema}
          edited={edited}
          issues={issues}
          onChange={onChange}
        />
      )}
      {allowed ? (
        <>
          <label class="check">
            <input
              type="checkbox"
              checked={edited !== undefined}
              onChange={(event) => {
                const start = merges || profile === undefined ? {} : profile;
                onChange(event.currentTarget.checked ? { value: start } : undefined);
              }}
            />
            <span>Override profile</span>
          </label>
          {merges ? (
            <p class="field-description">
              The service merges the fields that you set into its own profile. Fields that you leave out keep
              their values; null removes a field.
            </p>
          ) : null}
        </>
      ) : (
        <p class="field-description">Callers cannot override the profile on this service.</p>
      )}
    </div>
  );
}
