import type { Edited } from "../model/edited.js";
import type { JsonObject } from "../model/json.js";
import { isObject } from "../model/json.js";
import type { Issue } from "../model/reply.js";
import { JsonCode } from "../parts/json-code.js";
import { ValueEditor } from "./value-editor.js";

interface ProfileEditorProps {
  readonly schema: JsonObject;
  readonly defaultProfile: unknown;
  /** Whether the service takes a profile from its callers. */
  readonly allowed: boolean;
  /** Absent where the default profile serves. */
  readonly edited: Edited | undefined;
  readonly issues: readonly Issue[];
  readonly onChange: (edited: Edited | undefined) => void;
}

/** The default profile to look at, or one of the caller's own for this call. */
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
            <p class="field-description">No default profile: the schema's own defaults serve.</p>
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
          <span>Another profile for this call</span>
        </label>
      ) : (
        <p class="field-description">This service does not take a profile from its callers.</p>
      )}
    </div>
  );
}
