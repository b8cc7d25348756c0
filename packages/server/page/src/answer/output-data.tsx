import { isObject, type JsonObject, own, textOf } from "../model/json.js";
import { Removed, removedText } from "../model/removed.js";
import { JsonCode } from "../parts/json-code.js";
import { resolveSchema } from "../schema/resolve-schema.js";

/** `data` of the result: an object as a list of its values, everything else as JSON. */
export function OutputData({ data, schema }: { readonly data: unknown; readonly schema: JsonObject }) {
  if (!isObject(data) || data instanceof Removed || Object.keys(data).length === 0)
    return <JsonCode value={data} label="Data" />;
  const properties = own(resolveSchema(schema, schema), "properties");
  return (
    <dl class="data">
      {Object.entries(data).map(([name, value]) => {
        const property = isObject(properties) ? own(properties, name) : undefined;
        const title = isObject(property) ? textOf(resolveSchema(property, schema), "title") : undefined;
        return (
          <div key={name}>
            <dt>
              {title ?? name}
              {title === undefined || title === name ? null : <code class="field-name">{name}</code>}
            </dt>
            <dd>
              <Value value={value} name={title ?? name} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Value({ value, name }: { readonly value: unknown; readonly name: string }) {
  if (typeof value === "boolean") return <span class={value ? "yes" : "no"}>{value ? "true" : "false"}</span>;
  if (typeof value === "number") return <span class="figure">{String(value)}</span>;
  if (typeof value === "string") return <span>{value === "" ? "(empty)" : value}</span>;
  if (value === null) return <code>null</code>;
  if (value instanceof Removed) return <em class="removed">{removedText}</em>;
  return <JsonCode value={value} label={name} />;
}
