import { useState } from "preact/hooks";
import { type SharedCall, toFragment } from "../model/call.js";
import {
  clientSnippet,
  curlSnippet,
  fetchSnippet,
  powershellSnippet,
  pythonSnippet,
  type SnippetCall,
} from "../model/snippets.js";
import { CodeBlock } from "../parts/code.js";
import { Choice, CopyButton } from "../parts/controls.js";

const writers = {
  curl: curlSnippet,
  fetch: fetchSnippet,
  client: clientSnippet,
  Python: pythonSnippet,
  PowerShell: powershellSnippet,
} as const;

type Language = keyof typeof writers;

const languages = (["curl", "fetch", "client", "Python", "PowerShell"] as const).map((value) => ({
  value,
  label: value,
}));

interface CallSnippetsProps extends SnippetCall {
  /** Why the call differs from the form. */
  readonly note: string | undefined;
}

/** The call in the form, as code for a shell or a program. */
export function CallSnippets({ note, ...call }: CallSnippetsProps) {
  const [language, setLanguage] = useState<Language>("curl");
  const text = writers[language](call);
  return (
    <section class="snippets" aria-label="Call it">
      <div class="card-head">
        <CopyButton key={language} label={`Copy as ${language}`} text={() => text} />
        <Choice
          label="Written for"
          name="language"
          options={languages}
          value={language}
          onChange={setLanguage}
        />
      </div>
      {note === undefined ? null : <p class="stale">{note}</p>}
      <CodeBlock label={language === "curl" ? "curl command" : `Code for ${language}`}>{text}</CodeBlock>
    </section>
  );
}

/** Some programs cut off what is longer. */
const longLink = 8000;

interface ShareButtonProps {
  readonly id: string;
  /** The version that the form is for: the link opens this one, also when the service has a newer one. */
  readonly version: string;
  readonly call: SharedCall;
}

/** Copies a link that restores the call, and puts it into the address bar. */
export function ShareButton({ id, version, call }: ShareButtonProps) {
  const link = () => new URL(toFragment(id, call, version), location.href).href;
  return (
    <CopyButton
      label="Share"
      icon="link"
      done={() => {
        const { length } = link();
        return length > longLink
          ? `Link copied. It is long (${Math.round(length / 1000)} kB): some programs cut it off`
          : "Link copied";
      }}
      text={() => {
        history.replaceState(null, "", toFragment(id, call, version));
        return location.href;
      }}
    />
  );
}
