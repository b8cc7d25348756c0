import { useContext } from "preact/hooks";
import { Draft } from "../model/draft.js";
import { isObject } from "../model/json.js";
import { fieldKind } from "../schema/field-kind.js";
import { ArrayField } from "./array-field.js";
import { type FieldProps, FormContext } from "./form-context.js";
import { JsonField } from "./json-field.js";
import { NullableField } from "./nullable-field.js";
import { NumberField } from "./number-field.js";
import { ObjectField } from "./object-field.js";
import { ScalarField } from "./scalar-field.js";

/** The field for a value, chosen by its schema. A value that the field cannot show is shown as JSON. */
export function ChosenField(props: FieldProps) {
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
