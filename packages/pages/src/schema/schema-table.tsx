import type { JsonObject } from "../model/json.js";
import { type SchemaRow, schemaRows } from "./schema-rows.js";
import { ValueList } from "./value-list.js";

/** A schema as a table, with a row for each value it describes. */
export function SchemaTable({ schema, caption }: { readonly schema: JsonObject; readonly caption: string }) {
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
        {description === undefined ? null : <span>{description}</span>}
        {defaultValue === undefined ? null : (
          <span class="default">
            Default <code>{JSON.stringify(defaultValue)}</code>
          </span>
        )}
      </td>
    </tr>
  );
}
