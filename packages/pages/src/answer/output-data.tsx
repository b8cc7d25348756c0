import { isObject, type JsonObject, own, textOf } from "../model/json.js";
import { Removed, removedText } from "../model/removed.js";
import { JsonCode } from "../parts/json-code.js";
import { KeyName } from "../parts/key-name.js";
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
        const resolved = isObject(property) ? resolveSchema(property, schema) : {};
        const title = textOf(resolved, "title");
        const description = textOf(resolved, "description");
        return (
          <div key={name}>
            <dt>
              {title ?? name}
              {title === undefined ? null : <KeyName label={title} name={name} />}
            </dt>
            <dd>
              <Value value={value} name={title ?? name} />
              {description === undefined ? null : <span class="data-about">{description}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Whether a value is short enough to stand in a line. Empty text would not be seen. */
function isPlain(value: unknown): boolean {
  return (
    typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && value !== "")
  );
}

/** Whole numbers with separators; others as JSON has them, so that no digit is lost. */
function figure(value: number): string {
  return Number.isSafeInteger(value) && Math.abs(value) >= 10_000
    ? value.toLocaleString("en")
    : String(value);
}

function Value({ value, name }: { readonly value: unknown; readonly name: string }) {
  if (typeof value === "boolean") return <span class={value ? "yes" : "no"}>{value ? "true" : "false"}</span>;
  if (typeof value === "number") return <span class="figure">{figure(value)}</span>;
  if (typeof value === "string") return <span>{value === "" ? "(empty)" : value}</span>;
  if (value === null) return <code>null</code>;
  if (value instanceof Removed) return <em class="removed">{removedText}</em>;
  if (Array.isArray(value) && value.length > 0 && value.every(isPlain)) {
    return (
      <ul class="list-values">
        {value.map((item, index) => (
          <li key={String(index)}>{typeof item === "string" ? item : JSON.stringify(item)}</li>
        ))}
      </ul>
    );
  }
  return <JsonCode value={value} label={name} />;
}
