import { useContext } from "preact/hooks";
import { isObject, own, sameJson, textOf, withProperty } from "../model/json.js";
import { readPointer, toPointer } from "../model/pointer.js";
import { Icon } from "../parts/icons.js";
import { exampleValue } from "../schema/example-value.js";
import type { Property } from "../schema/field-kind.js";
import { resolveSchema } from "../schema/resolve-schema.js";
import { focusSoon } from "./focus-soon.js";
import { type FieldProps, FormContext, fieldId, useField } from "./form-context.js";
import { Group } from "./group.js";
import { useLatest } from "./use-latest.js";

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
