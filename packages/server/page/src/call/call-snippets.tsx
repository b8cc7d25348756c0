import { useState } from "preact/hooks";
import { curlSnippet, fetchSnippet, type SnippetCall } from "../model/snippets.js";
import { Choice } from "../parts/choice.js";
import { CodeBlock } from "../parts/code-block.js";
import { CopyButton } from "../parts/copy-button.js";

const languages = [
  { value: "curl", label: "curl" },
  { value: "fetch", label: "TypeScript" },
] as const;

interface CallSnippetsProps extends SnippetCall {
  /** Why the call differs from the form. */
  readonly note: string | undefined;
}

/** The call in the form, as code for a shell or a program. */
export function CallSnippets({ note, ...call }: CallSnippetsProps) {
  const [language, setLanguage] = useState<"curl" | "fetch">("curl");
  const text = language === "curl" ? curlSnippet(call) : fetchSnippet(call);
  return (
    <section class="card snippets" aria-labelledby="snippets-title">
      <div class="card-head">
        <h2 id="snippets-title">Call it</h2>
        <Choice
          label="Written in"
          name="language"
          options={languages}
          value={language}
          onChange={setLanguage}
        />
        <CopyButton label={language === "curl" ? "Copy as curl" : "Copy as fetch"} text={() => text} />
      </div>
      {note === undefined ? null : <p class="stale">{note}</p>}
      <CodeBlock label={language === "curl" ? "curl command" : "TypeScript"}>{text}</CodeBlock>
    </section>
  );
}
