import { useContext } from "preact/hooks";
import { exampleValue } from "../json/example-value.js";
import type { FieldKind, Property } from "../json/field-kind.js";
import { resolveSchema } from "../json/schema.js";
import {
  isObject,
  type JsonObject,
  own,
  readPointer,
  sameJson,
  textOf,
  toPointer,
  withProperty,
} from "../json/values.js";
import { useLatest } from "../parts/browser.js";
import { Icon, verbatim } from "../parts/controls.js";
import { Group } from "./field-frame.js";
import { type FieldProps, FormContext, fieldId, focusSoon, useField } from "./form-context.js";

type ObjectKind = Extract<FieldKind, { readonly kind: "object" }>;

/** An object, with a field for each property. Optional properties are added on demand, and so are those of a map. */
export function ObjectField(props: FieldProps & { readonly kind: ObjectKind }) {
  const { kind, path, value } = props;
  const { root, issues } = useContext(FormContext);
  const { id, messages } = useField(path);
  const object = isObject(value) ? value : {};
  const { properties, rest } = kind;
  const known = new Set(properties.map(({ name }) => name));
  const others = Object.keys(object).filter((name) => !known.has(name));
  // An absent optional field has no place for an error, so an error opens the field.
  const isAbsent = ({ name, required }: Property) =>
    !required &&
    !Object.hasOwn(object, name) &&
    !issues.some((issue) => issue.path === toPointer([...path, name]));
  const absent = properties.filter(isAbsent);
  return (
    <Group {...props} id={id} messages={messages}>
      {properties
        .filter((property) => !isAbsent(property))
        .map((property) => (
          <PropertyField key={property.name} {...props} object={object} property={property} root={root} />
        ))}
      {rest === undefined ? null : <Entries {...props} object={object} names={others} rest={rest} />}
      {others.length === 0 || rest !== undefined ? null : (
        <p class="field-description">
          Not in the schema, and only visible in the JSON view: <code>{others.join(", ")}</code>
        </p>
      )}
      {absent.length === 0 ? null : <AbsentFields {...props} object={object} properties={absent} />}
      {properties.length === 0 && rest === undefined ? (
        <p class="field-description">Nothing to fill in.</p>
      ) : null}
    </Group>
  );
}

interface PartProps extends FieldProps {
  readonly object: JsonObject;
}

function labelOf({ name, schema }: Property, root: JsonObject): string {
  return textOf(resolveSchema(schema, root), "title") ?? name;
}

/** What can be added, in one line. Where something applies without it, the button says what. */
function AbsentFields({
  path,
  object,
  onChange,
  properties,
}: PartProps & { properties: readonly Property[] }) {
  const { part, root } = useContext(FormContext);
  return (
    <div class="absent-fields">
      <span>Add</span>
      {properties.map((property) => {
        const { name, schema } = property;
        const id = fieldId(part, toPointer([...path, name]));
        const standard = own(resolveSchema(schema, root), "default");
        return (
          <button
            key={name}
            type="button"
            id={id}
            class="add"
            onClick={() => {
              onChange(withProperty(object, name, exampleValue(schema, root)));
              focusSoon(id);
            }}
          >
            <Icon name="plus" />
            <span>{labelOf(property, root)}</span>
            {standard === undefined ? <span class="hidden"> (optional)</span> : <Preset value={standard} />}
          </button>
        );
      })}
    </div>
  );
}

/** The value that applies while a field is left out. */
function Preset({ value }: { readonly value: unknown }) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (
    <span class="ghost">
      {text.length > 24 ? "preset" : text}
      <span class="hidden"> applies without it</span>
    </span>
  );
}

interface PropertyFieldProps extends PartProps {
  readonly property: Property;
  readonly root: JsonObject;
}

function PropertyField({ object, property, path, root, onChange }: PropertyFieldProps) {
  const { part, baseline, Field } = useContext(FormContext);
  const { name, schema, required } = property;
  const place = [...path, name];
  const pointer = toPointer(place);
  const base = readPointer(baseline, pointer);
  const value = own(object, name);
  const latest = useLatest({ object, base, onChange });
  const set = (next: unknown) => latest.current.onChange(withProperty(latest.current.object, name, next));
  const isChanged = base !== undefined && !isObject(base) && !sameJson(base, value);
  const remove = () => {
    set(undefined);
    focusSoon(fieldId(part, pointer));
  };
  return (
    <Field
      schema={schema}
      path={place}
      label={labelOf(property, root)}
      required={required}
      value={value}
      onReset={isChanged ? () => set(latest.current.base) : undefined}
      onChange={(next) => set(next)}
      onRemove={required ? undefined : remove}
    />
  );
}

interface EntriesProps extends PartProps {
  /** Of the members that the schema does not name. */
  readonly names: readonly string[];
  readonly rest: JsonObject;
}

/** Members with any name: each has a field for its name next to that for its value. */
function Entries({ path, object, names, rest, label, onChange }: EntriesProps) {
  const { part, root, Field } = useContext(FormContext);
  const latest = useLatest({ object, onChange });
  const change = (edit: (object: JsonObject) => JsonObject) =>
    latest.current.onChange(edit(latest.current.object));
  const addId = `${fieldId(part, toPointer(path))}:add`;
  const nameId = (name: string) => `${fieldId(part, toPointer([...path, name]))}:name`;
  const add = () => {
    let name = "new";
    for (let count = 2; Object.hasOwn(object, name); count += 1) name = `new-${count}`;
    change((all) => ({ ...all, [name]: exampleValue(rest, root) }));
    focusSoon(nameId(name));
  };
  return (
    <>
      {names.map((name, index) => (
        <div class="entry" key={`entry ${index}`}>
          <label class="entry-name">
            <span class="hidden">{`Name of entry ${index + 1} of ${label}`}</span>
            <input
              type="text"
              id={nameId(name)}
              {...verbatim}
              value={name}
              onChange={({ currentTarget }) => {
                const { value } = currentTarget;
                // Two members cannot have one name.
                if (value === name || Object.hasOwn(latest.current.object, value)) currentTarget.value = name;
                else change((all) => renamed(all, name, value));
              }}
            />
          </label>
          <Field
            schema={rest}
            path={[...path, name]}
            label={name}
            required={true}
            value={own(object, name)}
            onChange={(next) => change((all) => ({ ...all, [name]: next ?? null }))}
            onRemove={() => {
              change((all) => withProperty(all, name, undefined));
              focusSoon(addId);
            }}
          />
        </div>
      ))}
      <button type="button" class="add" id={addId} onClick={add}>
        <Icon name="plus" />
        <span>{`Add an entry to ${label}`}</span>
      </button>
    </>
  );
}

function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name === from ? to : name, value]),
  );
}
