import { useContext } from "preact/hooks";
import type { JsonObject } from "../model/json.js";
import { exampleValue } from "../schema/example-value.js";
import { type FieldProps, FormContext, useField } from "./form-context.js";

/** A value that may be null: a checkbox, and the field of the value while the box is not ticked. */
export function NullableField(props: FieldProps & { readonly inner: JsonObject }) {
  const { inner, label, value, path, onChange } = props;
  const { root, Field } = useContext(FormContext);
  const { id } = useField(path);
  const isNull = value === null;
  return (
    <div class="nullable">
      {isNull ? (
        <div class="field">
          <div class="field-head">
            <span class="group-label">{label}</span>
            <code class="field-name">null</code>
          </div>
        </div>
      ) : (
        <Field {...props} schema={inner} />
      )}
      <label class="check">
        <input
          type="checkbox"
          id={isNull ? id : `${id}:null`}
          checked={isNull}
          onChange={() => onChange(isNull ? exampleValue(inner, root) : null)}
        />
        <span>
          {label} is <code>null</code>
        </span>
      </label>
    </div>
  );
}
