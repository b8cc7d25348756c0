import { useState } from "preact/hooks";
import { type SchemaRow, schemaRows } from "../json/schema-rows.js";
import { type JsonObject, pretty } from "../json/values.js";
import type { DocsDecision } from "../model/data.js";
import { JsonCode, Prose } from "../parts/code.js";
import { Choice, CopyButton, Fold } from "../parts/controls.js";

/** More would make one row longer than the screen. */
const mostShown = 12;

/** The values that a field may have. Of many, the first are shown, and the rest unfolds. */
function ValueList({ values }: { readonly values: readonly unknown[] }) {
  const rest = values.length - mostShown;
  // A line that unfolds takes the place of a value or two.
  if (rest <= 2) return <Values values={values} />;
  return (
    <>
      <Values values={values.slice(0, mostShown)} />
      <details class="more-values">
        <summary>{rest} more values</summary>
        <Values values={values.slice(mostShown)} />
      </details>
    </>
  );
}

function Values({ values }: { readonly values: readonly unknown[] }) {
  return (
    <span class="values">
      {values.map((value) => (
        <code key={JSON.stringify(value)}>{JSON.stringify(value)}</code>
      ))}
    </span>
  );
}

/** A schema as a table, with a row for each value it describes. */
function SchemaTable({ schema, caption }: { readonly schema: JsonObject; readonly caption: string }) {
  const rows = schemaRows(schema);
  if (rows.length === 0) return <p class="field-description">An object without fields.</p>;
  return (
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.path.join("\n")} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { readonly row: SchemaRow }) {
  const { path, type, required, title, description, constraints, values, defaultValue } = row;
  const name = path.at(-1) ?? "";
  return (
    <tr>
      <th scope="row">
        <code>
          {path.length > 1 ? <span class="path">{path.slice(0, -1).join(".")}.</span> : null}
          {name}
        </code>
        <span class={required ? "tag must" : "tag"}>{required ? "required" : "optional"}</span>
      </th>
      <td>
        <span class="type">{type}</span>
        {values === undefined ? null : <ValueList values={values} />}
        {constraints.map((text) => (
          <span class="constraint" key={text}>
            {text}
          </span>
        ))}
      </td>
      <td>
        {title === undefined ? null : <strong>{title}</strong>}
        {description === undefined ? null : (
          <span>
            <Prose text={description} />
          </span>
        )}
        {defaultValue === undefined ? null : (
          <span class="default">
            Default <code>{JSON.stringify(defaultValue)}</code>
          </span>
        )}
      </td>
    </tr>
  );
}

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
        <Choice label="Schema as" name="schema-view" options={views} value={view} onChange={setView} />
        <CopyButton label="Copy" text={() => pretty(schema)} />
      </div>
      <Choice label="Schema of" name="schema-part" options={parts} value={part} onChange={setPart} />
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
