import type { ComponentChildren } from "preact";
import { DataList } from "../answer/answer.js";
import { ValueEditor } from "../form/value-editor.js";
import { fieldKind } from "../json/field-kind.js";
import { isObject, type JsonObject } from "../json/values.js";
import type { Edited } from "../model/call.js";
import type { DocsNamedProfile } from "../model/data.js";
import type { Issue } from "../model/reply.js";
import { Fold } from "../parts/controls.js";

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
function HostProfile({ schema, profile, namedProfiles, name, onName, children }: HostProfileProps) {
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
      <DataList data={profile} schema={schema} />
    </section>
  );
}

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
