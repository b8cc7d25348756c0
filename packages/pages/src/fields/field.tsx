import { Component } from "preact";
import { ChosenField } from "./chosen-field.js";
import type { FieldProps } from "./form-context.js";

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
