import { useContext, useState } from "preact/hooks";
import { readJson } from "../json/reading.js";
import { resolveSchema } from "../json/schema.js";
import { typeName } from "../json/schema-rows.js";
import { pretty, sameJson, textOf } from "../json/values.js";
import { Draft } from "../model/call.js";
import { verbatim } from "../parts/controls.js";
import { described, FieldFrame } from "./field-frame.js";
import { type FieldProps, FormContext, useField } from "./form-context.js";

/** Any value as JSON, for types without a special field. */
export function JsonField(props: FieldProps) {
  const { schema, path, value, onChange } = props;
  const { root } = useContext(FormContext);
  const { id, messages } = useField(path, true);
  const [written, setWritten] = useState<{ readonly text: string; readonly value: unknown }>();
  const resolved = resolveSchema(schema, root);
  const description = textOf(resolved, "description");
  const hint = `JSON · ${typeName(schema, root)}`;
  const text = shownText(written, value);
  return (
    <FieldFrame {...props} id={id} hint={hint} description={description} messages={messages}>
      <textarea
        {...described({ id, hint, description, messages })}
        id={id}
        class="json-input"
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        {...verbatim}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value;
          const nextValue = fromText(next);
          setWritten({ text: next, value: nextValue });
          onChange(nextValue);
        }}
      />
    </FieldFrame>
  );
}

function fromText(text: string): unknown {
  if (text.trim() === "") return undefined;
  const reading = readJson(text);
  return "value" in reading ? reading.value : new Draft({ text, problem: reading.problem, shown: true });
}

/** Keeps the user's spacing for as long as the value is the one they wrote. */
function shownText(written: { readonly text: string; readonly value: unknown } | undefined, value: unknown) {
  if (value instanceof Draft) return value.text;
  return written !== undefined && sameJson(written.value, value) ? written.text : pretty(value);
}
