import { useContext } from "preact/hooks";
import { exampleValue, type FieldKind, type Property } from "../json/field-kind.js";
import { constraintsOf, resolveSchema } from "../json/schema.js";
import { isObject, own, readPointer, sameJson, textOf, toPointer, withProperty } from "../json/values.js";
import { Draft } from "../model/call.js";
import { Icon } from "../parts/controls.js";
import { Group } from "./field-frame.js";
import { type FieldProps, FormContext, fieldId, focusSoon, useField, useLatest } from "./form-context.js";

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

/** An object, with a field for each property. Optional properties are added on demand. */
export function ObjectField(props: FieldProps & { readonly properties: readonly Property[] }) {
  const { properties, path, value } = props;
  const { root } = useContext(FormContext);
  const { id, messages } = useField(path);
  const object = isObject(value) ? value : {};
  const known = new Set(properties.map(({ name }) => name));
  const others = Object.keys(object).filter((name) => !known.has(name));
  return (
    <Group {...props} id={id} messages={messages}>
      {properties.map((property) => (
        <PropertyField key={property.name} {...props} object={object} property={property} root={root} />
      ))}
      {others.length === 0 ? null : (
        <p class="field-description">
          Not in the schema, and only visible in the JSON view: <code>{others.join(", ")}</code>
        </p>
      )}
      {properties.length === 0 ? <p class="field-description">Nothing to fill in.</p> : null}
    </Group>
  );
}

interface PropertyFieldProps extends FieldProps {
  readonly object: { readonly [key: string]: unknown };
  readonly property: Property;
  readonly root: { readonly [key: string]: unknown };
}

function PropertyField({ object, property, path, root, onChange }: PropertyFieldProps) {
  const { part, baseline, issues, Field } = useContext(FormContext);
  const { name, schema, required } = property;
  const place = [...path, name];
  const pointer = toPointer(place);
  const label = textOf(resolveSchema(schema, root), "title") ?? name;
  const id = fieldId(part, pointer);
  const present = Object.hasOwn(object, name);
  const base = readPointer(baseline, pointer);
  const value = own(object, name);
  const latest = useLatest({ object, base, onChange });
  const set = (next: unknown) => latest.current.onChange(withProperty(latest.current.object, name, next));
  // An absent optional field has no place for an error, so an error opens the field.
  if (!required && !present && !issues.some((issue) => issue.path === pointer)) {
    return (
      <button
        type="button"
        id={id}
        class="add"
        onClick={() => {
          set(exampleValue(schema, root));
          focusSoon(id);
        }}
      >
        <Icon name="plus" />
        <span>{label}</span>
        <span class="tag">optional</span>
      </button>
    );
  }
  return (
    <Field
      schema={schema}
      path={place}
      label={label}
      required={required}
      value={value}
      onReset={
        base === undefined || isObject(base) || sameJson(base, value)
          ? undefined
          : () => set(latest.current.base)
      }
      onChange={(next) => set(next)}
      onRemove={
        required
          ? undefined
          : () => {
              set(undefined);
              focusSoon(id);
            }
      }
    />
  );
}
