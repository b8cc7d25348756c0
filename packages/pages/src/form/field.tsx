import { Component } from "preact";
import { useContext } from "preact/hooks";
import { exampleValue, fieldKind } from "../json/field-kind.js";
import { isObject, type JsonObject } from "../json/values.js";
import { Draft } from "../model/call.js";
import { type FieldProps, FormContext, useField } from "./form-context.js";
import { JsonField } from "./json-field.js";
import { ArrayField, ObjectField } from "./list-and-object-fields.js";
import { NumberField } from "./number-field.js";
import { ScalarField } from "./scalar-field.js";

/** A value that may be null: a checkbox, and the field of the value while the box is not ticked. */
function NullableField(props: FieldProps & { readonly inner: JsonObject }) {
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

/** The field for a value, chosen by its schema. A value that the field cannot show is shown as JSON. */
function ChosenField(props: FieldProps) {
  const { schema, value } = props;
  const { root } = useContext(FormContext);
  const kind = fieldKind(schema, root);
  if (value instanceof Draft && kind.kind !== "number" && kind.kind !== "nullable") {
    return <JsonField {...props} />;
  }
  switch (kind.kind) {
    case "object":
      return value === undefined || isObject(value) ? (
        <ObjectField {...props} properties={kind.properties} />
      ) : (
        <JsonField {...props} />
      );
    case "array":
      return value === undefined || Array.isArray(value) ? (
        <ArrayField {...props} kind={kind} />
      ) : (
        <JsonField {...props} />
      );
    case "nullable":
      return <NullableField {...props} inner={kind.inner} />;
    case "json":
      return <JsonField {...props} />;
    case "number":
      return value === undefined || typeof value === "number" || value instanceof Draft ? (
        <NumberField {...props} integer={kind.integer} />
      ) : (
        <JsonField {...props} />
      );
    case "boolean":
      return value === undefined || typeof value === "boolean" ? (
        <ScalarField {...props} kind={kind} />
      ) : (
        <JsonField {...props} />
      );
    case "string":
      return value === undefined || typeof value === "string" ? (
        <ScalarField {...props} kind={kind} />
      ) : (
        <JsonField {...props} />
      );
    case "enum":
      return <ScalarField {...props} kind={kind} />;
  }
}

/**
 * The field for a value. It is drawn again only if something that it shows has changed, so a keystroke in a list of 200 draws
 * one item and not all. For that, the callbacks of a field must not capture values: an older one has to do the same.
 */
export class Field extends Component<FieldProps> {
  override shouldComponentUpdate(next: FieldProps): boolean {
    return !showsTheSame(this.props, next);
  }

  render(props: FieldProps) {
    return <ChosenField {...props} />;
  }
}

function showsTheSame(one: FieldProps, other: FieldProps): boolean {
  return (
    one.value === other.value &&
    one.schema === other.schema &&
    one.label === other.label &&
    one.required === other.required &&
    (one.onRemove === undefined) === (other.onRemove === undefined) &&
    (one.onReset === undefined) === (other.onReset === undefined) &&
    one.path.length === other.path.length &&
    one.path.every((part, index) => part === other.path[index])
  );
}
