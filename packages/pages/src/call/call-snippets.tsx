import { useState } from "preact/hooks";
import { clientSnippet } from "../model/client-snippet.js";
import { powershellSnippet } from "../model/powershell-snippet.js";
import { pythonSnippet } from "../model/python-snippet.js";
import { curlSnippet, fetchSnippet, type SnippetCall } from "../model/snippets.js";
import { Choice } from "../parts/choice.js";
import { CodeBlock } from "../parts/code-block.js";
import { CopyButton } from "../parts/copy-button.js";

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
    <section class="card snippets" aria-labelledby="snippets-title">
      <div class="card-head">
        <h2 id="snippets-title">Call it</h2>
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
