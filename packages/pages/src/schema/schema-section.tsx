import { useState } from "preact/hooks";
import type { DocsDecision } from "../model/data.js";
import { pretty } from "../model/json.js";
import { Choice } from "../parts/choice.js";
import { CopyButton } from "../parts/copy-button.js";
import { Fold } from "../parts/fold.js";
import { JsonCode } from "../parts/json-code.js";
import { SchemaTable } from "./schema-table.js";

const parts = [
  { value: "inputSchema", label: "Input" },
  { value: "profileSchema", label: "Profile" },
  { value: "outputSchema", label: "Output" },
] as const;
const views = [
  { value: "table", label: "Table" },
  { value: "json", label: "JSON" },
] as const;

/** The three schemas, each as a table and as JSON Schema. */
export function SchemaSection({ decision }: { readonly decision: DocsDecision }) {
  const [part, setPart] = useState<(typeof parts)[number]["value"]>("inputSchema");
  const [view, setView] = useState<"table" | "json">("table");
  const schema = decision[part];
  const label = parts.find(({ value }) => value === part)?.label ?? "";
  return (
    <section class="card schema" aria-labelledby="schema-title">
      <div class="card-head">
        <h2 id="schema-title">Schemas</h2>
        <Choice label="Schema of" name="schema-part" options={parts} value={part} onChange={setPart} />
        <Choice label="Schema as" name="schema-view" options={views} value={view} onChange={setView} />
        <CopyButton label="Copy" text={() => pretty(schema)} />
      </div>
      <Fold title={`${label} schema`}>
        {view === "table" ? (
          <SchemaTable schema={schema} caption={`${label} schema`} />
        ) : (
          <JsonCode value={schema} label={`${label} schema as JSON Schema`} />
        )}
      </Fold>
    </section>
  );
}
