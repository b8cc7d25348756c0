import { useContext } from "preact/hooks";
import { Draft } from "../model/draft.js";
import { toPointer } from "../model/pointer.js";
import { Icon } from "../parts/icons.js";
import { constraintsOf } from "../schema/constraints.js";
import { exampleValue } from "../schema/example-value.js";
import type { FieldKind } from "../schema/field-kind.js";
import { resolveSchema } from "../schema/resolve-schema.js";
import { focusSoon } from "./focus-soon.js";
import { type FieldProps, FormContext, fieldId, useField } from "./form-context.js";
import { Group } from "./group.js";
import { useLatest } from "./use-latest.js";

/** An item cannot be absent. An emptied field requires a value, or the removal of the item. */
const emptyItem = new Draft({ text: "", problem: "must have a value, or be removed", shown: true });

/** A list, with a field for each item. Items can be added and removed. */
export function ArrayField(
  props: FieldProps & { readonly kind: Extract<FieldKind, { readonly kind: "array" }> },
) {
  const { kind, schema, path, label, value } = props;
  const { part, root, Field } = useContext(FormContext);
  const { id, messages } = useField(path);
  const items = itemsOf(value);
  const latest = useLatest(props);
  const edit = (change: (items: readonly unknown[]) => readonly unknown[]) =>
    latest.current.onChange(change(itemsOf(latest.current.value)));
  const itemId = (index: number) => fieldId(part, toPointer([...path, index]));
  const addId = `${id}:add`;
  return (
    <Group
      {...props}
      id={id}
      messages={messages}
      hint={constraintsOf(resolveSchema(schema, root)).join(" · ") || undefined}
    >
      {items.map((item, index) => (
        <Field
          key={itemId(index)}
          schema={kind.items}
          path={[...path, index]}
          label={`${label} ${index + 1}`}
          required={true}
          value={item}
          onChange={(next) => edit((all) => all.map((one, at) => (at === index ? (next ?? emptyItem) : one)))}
          onRemove={() => {
            edit((all) => all.filter((_one, at) => at !== index));
            focusSoon(addId);
          }}
        />
      ))}
      <button
        type="button"
        class="add"
        id={addId}
        disabled={kind.maxItems !== undefined && items.length >= kind.maxItems}
        onClick={() => {
          edit((all) => [...all, exampleValue(kind.items, root)]);
          focusSoon(itemId(items.length));
        }}
      >
        <Icon name="plus" />
        <span>Add to {label}</span>
      </button>
    </Group>
  );
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
