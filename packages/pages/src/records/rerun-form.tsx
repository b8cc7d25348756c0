import { JsonEditor } from "../form/value-editor.js";
import type { Edited } from "../model/call.js";
import type { RecordedDecision, ReevaluationRequest } from "../model/data.js";
import { Icon } from "../parts/controls.js";

/** Which profile to evaluate with: the one of the record, the host's, one that the host named, or edited JSON. */
type ProfileChoice =
  | { readonly kind: "recorded" | "host" | "edited" }
  | { readonly kind: "named"; readonly name: string };

/** What the form for evaluating again says. */
export interface Rerunning {
  readonly version: string;
  readonly profile: ProfileChoice;
  readonly edited: Edited;
}

export function requestOf({ version, profile, edited }: Rerunning): ReevaluationRequest {
  if (profile.kind === "host") return { version, hostProfile: true };
  if (profile.kind === "named") return { version, profileName: profile.name };
  return profile.kind === "edited" ? { version, profile: edited.value } : { version };
}

/** The version to offer first: the recorded one, else the service's default. */
export function firstVersion({ versions }: RecordedDecision, recorded: string): string | undefined {
  const served = versions.find((one) => one.version === recorded);
  const standard = served ?? versions.find((one) => one.default === true) ?? versions[0];
  return standard?.version;
}

interface RerunFormProps {
  readonly decision: RecordedDecision;
  readonly recordedVersion: string;
  readonly value: Rerunning;
  readonly busy: boolean;
  readonly onChange: (value: Rerunning) => void;
  readonly onSend: () => void;
}

/** The version and the profile to evaluate with. */
export function RerunForm({ decision, recordedVersion, value, busy, onChange, onSend }: RerunFormProps) {
  const mistake = value.profile.kind === "edited" ? value.edited.draft?.problem : undefined;
  return (
    <form
      class="rerun-form"
      aria-labelledby="rerun-title"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (mistake === undefined) onSend();
      }}
    >
      <div class="rerun-row">
        <VersionSelect
          decision={decision}
          recordedVersion={recordedVersion}
          value={value}
          onChange={onChange}
        />
        <ProfileSelect decision={decision} value={value} onChange={onChange} />
        {/* Not `disabled`, because a disabled button loses the keyboard focus. */}
        <button type="submit" class="primary" aria-disabled={busy || mistake !== undefined}>
          <Icon name="play" />
          {busy ? "Evaluating…" : "Evaluate again"}
        </button>
      </div>
      {value.profile.kind === "edited" ? (
        <JsonEditor
          part="profile"
          title="Profile"
          edited={value.edited}
          issues={[]}
          onChange={(edited) => onChange({ ...value, edited })}
        />
      ) : null}
      <p class="field-description">
        At the recorded instant, with the recorded input and request id. Nothing is recorded or counted.
      </p>
    </form>
  );
}

type SelectProps = Pick<RerunFormProps, "decision" | "value" | "onChange">;

function VersionSelect({
  decision,
  recordedVersion,
  value,
  onChange,
}: SelectProps & Pick<RerunFormProps, "recordedVersion">) {
  const choose = (version: string) => {
    const { profile } = value;
    const isGone = profile.kind === "named" && !namesOf(decision, version).includes(profile.name);
    onChange({ ...value, version, profile: isGone ? { kind: "recorded" } : profile });
  };
  return (
    <label class="filter">
      <span>Version</span>
      <select value={value.version} onChange={(event) => choose(event.currentTarget.value)}>
        {decision.versions.map(({ version, default: isDefault }) => (
          <option key={version} value={version}>
            {versionText(version, version === recordedVersion, isDefault === true)}
          </option>
        ))}
      </select>
    </label>
  );
}

function ProfileSelect({ decision, value, onChange }: SelectProps) {
  return (
    <label class="filter">
      <span>Profile</span>
      <select
        value={keyOf(value.profile)}
        onChange={({ currentTarget }) => onChange({ ...value, profile: choiceOf(currentTarget.value) })}
      >
        <option value="recorded">As recorded</option>
        <option value="host">The service's default today</option>
        {namesOf(decision, value.version).map((name) => (
          <option key={name} value={`named ${name}`}>
            {name}
          </option>
        ))}
        <option value="edited">Edited</option>
      </select>
    </label>
  );
}

function namesOf({ profileNames }: RecordedDecision, version: string): readonly string[] {
  return Object.hasOwn(profileNames, version) ? (profileNames[version] ?? []) : [];
}

function versionText(version: string, isRecorded: boolean, isDefault: boolean): string {
  const notes = [...(isRecorded ? ["recorded"] : []), ...(isDefault ? ["default"] : [])];
  return notes.length === 0 ? version : `${version} (${notes.join(", ")})`;
}

/** A choice as the value of an option. */
function keyOf(choice: ProfileChoice): string {
  return choice.kind === "named" ? `named ${choice.name}` : choice.kind;
}

function choiceOf(key: string): ProfileChoice {
  if (key.startsWith("named ")) return { kind: "named", name: key.slice("named ".length) };
  return { kind: key === "host" || key === "edited" ? key : "recorded" };
}
