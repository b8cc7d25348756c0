import { useContext, useState } from "preact/hooks";
import { pretty, sameJson, textOf } from "../model/json.js";
import { resolveSchema } from "../model/resolve-schema.js";
import { typeName } from "../model/schema-rows.js";
import { described, FieldFrame } from "./field-frame.js";
import { type FieldProps, FormContext, useField } from "./form-context.js";

/** Any value, as JSON: for types that have no widget of their own. */
export function JsonField({ schema, path, label, required, value, onChange, onRemove }: FieldProps) {
  const { root } = useContext(FormContext);
  const { id, messages } = useField(path, true);
  const [draft, setDraft] = useState<{ readonly text: string; readonly value: unknown }>();
  const resolved = resolveSchema(schema, root);
  const description = textOf(resolved, "description");
  const current = draft !== undefined && sameJson(draft.value, value) ? draft : undefined;
  const broken = current !== undefined && current.text.trim() !== "" && parse(current.text) === undefined;
  const all = broken ? ["is no valid JSON yet; the last valid value is kept", ...messages] : messages;
  const text = current?.text ?? pretty(value);
  const last = path.at(-1);
  return (
    <FieldFrame
      id={id}
      label={label}
      name={typeof last === "string" ? last : undefined}
      required={required}
      hint={`JSON · ${typeName(schema, root)}`}
      description={description}
      messages={all}
      onRemove={onRemove}
    >
      <textarea
        {...described(id, description, all)}
        id={id}
        class="json-input"
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value;
          const parsed = next.trim() === "" ? { value: undefined } : parse(next);
          setDraft({ text: next, value: parsed === undefined ? value : parsed.value });
          if (parsed !== undefined) onChange(parsed.value);
        }}
      />
    </FieldFrame>
  );
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
