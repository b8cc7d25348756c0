import { type Reply, versionOf } from "../model/reply.js";
import { sentCall } from "../model/sent-call.js";
import { JsonCode } from "../parts/json-code.js";

/** The call that a reply answers, and the version that did. Only on paper, where the form does not appear. */
export function SentValues({ reply }: { readonly reply: Reply }) {
  const { input, profile, profileName } = sentCall(reply);
  const version = versionOf(reply);
  return (
    <div class="on-paper">
      {version === undefined ? null : <p>Evaluated by version {version}</p>}
      <h3>Input</h3>
      <JsonCode value={input} label="Input that was sent" />
      {profile === undefined ? null : (
        <>
          <h3>Profile</h3>
          <JsonCode value={profile} label="Profile that was sent" />
        </>
      )}
      {profileName === undefined || profile !== undefined ? null : <p>Profile: {profileName}</p>}
    </div>
  );
}
