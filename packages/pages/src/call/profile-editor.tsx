import type { DocsNamedProfile } from "../model/data.js";
import type { Edited } from "../model/edited.js";
import type { JsonObject } from "../model/json.js";
import type { Issue } from "../model/reply.js";
import { Fold } from "../parts/fold.js";
import { fieldKind } from "../schema/field-kind.js";
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
export function ProfileEditor(props: ProfileEditorProps) {
  const { schema, defaultProfile, namedProfiles, name, allowed, merges, edited, issues } = props;
  const chosen = namedProfiles.find((one) => one.name === name);
  const profile = chosen === undefined ? defaultProfile : chosen.profile;
  if (edited === undefined && name === undefined && namedProfiles.length === 0 && isEmpty(schema))
    return null;
  const override = <Override {...props} profile={profile} />;
  return (
    <Fold title="Profile" startsOpen={edited !== undefined || name !== undefined}>
      <div class="profile">
        {edited === undefined || merges ? (
          <HostProfile
            schema={schema}
            profile={profile}
            namedProfiles={namedProfiles}
            name={name}
            onName={props.onName}
          >
            {override}
          </HostProfile>
        ) : (
          <div class="override-line">{override}</div>
        )}
        {edited === undefined || !allowed ? null : (
          <ValueEditor
            part="profile"
            title={merges ? "Profile changes" : "Profile"}
            schema={schema}
            baseline={merges ? undefined : profile}
            edited={edited}
            issues={issues}
            onChange={props.onChange}
          />
        )}
      </div>
    </Fold>
  );
}

function Override({
  allowed,
  merges,
  edited,
  profile,
  onChange,
}: ProfileEditorProps & { readonly profile: unknown }) {
  if (!allowed) return <p class="field-description">Callers cannot override the profile on this service.</p>;
  return (
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
  );
}

/** Whether a profile has nothing to set. */
function isEmpty(schema: JsonObject): boolean {
  const kind = fieldKind(schema, schema);
  return kind.kind === "object" && kind.properties.length === 0;
}
