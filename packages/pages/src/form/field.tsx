import { Component } from "preact";
import { useContext } from "preact/hooks";
import { exampleValue } from "../json/example-value.js";
import { fieldKind } from "../json/field-kind.js";
import { isObject, type JsonObject } from "../json/values.js";
import { Draft } from "../model/call.js";
import { type FieldProps, FormContext, useField } from "./form-context.js";
import { JsonField } from "./json-field.js";
import { ListField } from "./list-field.js";
import { NumberField } from "./number-field.js";
import { ObjectField } from "./object-field.js";
import { ScalarField } from "./scalar-field.js";
import { UnionField } from "./union-field.js";

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
  const isDraft = value instanceof Draft;
  const shows = (isShown: boolean): boolean => value === undefined || (isShown && !isDraft);
  switch (kind.kind) {
    case "object":
      return shows(isObject(value)) ? <ObjectField {...props} kind={kind} /> : <JsonField {...props} />;
    case "array":
      return shows(Array.isArray(value)) ? <ListField {...props} kind={kind} /> : <JsonField {...props} />;
    case "nullable":
      return <NullableField {...props} inner={kind.inner} />;
    case "union":
      return isDraft ? <JsonField {...props} /> : <UnionField {...props} branches={kind.branches} />;
    case "number":
      return isDraft || shows(typeof value === "number") ? (
        <NumberField {...props} integer={kind.integer} />
      ) : (
        <JsonField {...props} />
      );
    case "boolean":
    case "string":
      return shows(typeof value === kind.kind) ? (
        <ScalarField {...props} kind={kind} />
      ) : (
        <JsonField {...props} />
      );
    case "enum":
      return <ScalarField {...props} kind={kind} />;
    case "json":
      return <JsonField {...props} />;
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
    one.plain === other.plain &&
    (one.onRemove === undefined) === (other.onRemove === undefined) &&
    (one.onReset === undefined) === (other.onReset === undefined) &&
    one.path.length === other.path.length &&
    one.path.every((part, index) => part === other.path[index])
  );
}
