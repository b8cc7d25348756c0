import type { Edited } from "../model/edited.js";
import type { JsonObject } from "../model/json.js";
import { isObject } from "../model/json.js";
import type { Issue } from "../model/reply.js";
import { JsonCode } from "../parts/json-code.js";
import { ValueEditor } from "./value-editor.js";

interface ProfileEditorProps {
  readonly schema: JsonObject;
  readonly defaultProfile: unknown;
  /** Whether callers may send a profile. */
  readonly allowed: boolean;
  /** Absent while the default profile applies. */
  readonly edited: Edited | undefined;
  readonly issues: readonly Issue[];
  readonly onChange: (edited: Edited | undefined) => void;
}

/** Shows the default profile, or edits the profile that overrides it. */
export function ProfileEditor({
  schema,
  defaultProfile,
  allowed,
  edited,
  issues,
  onChange,
}: ProfileEditorProps) {
  return (
    <div class="profile">
      {edited === undefined ? (
        <section class="editor" aria-labelledby="profile-title">
          <div class="editor-head">
            <h3 id="profile-title">Profile</h3>
            <span class="tag">default</span>
          </div>
          {isObject(defaultProfile) && Object.keys(defaultProfile).length === 0 ? (
            <p class="field-description">No default profile. The schema's defaults apply.</p>
          ) : (
            <JsonCode value={defaultProfile} label="Default profile" />
          )}
        </section>
      ) : (
        <ValueEditor
          part="profile"
          title="Profile"
          schema={schema}
          edited={edited}
          issues={issues}
          onChange={onChange}
        />
      )}
      {allowed ? (
        <label class="check">
          <input
            type="checkbox"
            checked={edited !== undefined}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? { value: defaultProfile } : undefined)
            }
          />
          <span>Override profile</span>
        </label>
      ) : (
        <p class="field-description">Callers cannot override the profile on this service.</p>
      )}
    </div>
  );
}
