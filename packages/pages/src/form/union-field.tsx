import { useContext, useState } from "preact/hooks";
import { exampleValue } from "../json/example-value.js";
import { type Branch, fits } from "../json/field-kind.js";
import { isObject, type JsonObject } from "../json/values.js";
import { useLatest } from "../parts/browser.js";
import { Choice } from "../parts/controls.js";
import { Group } from "./field-frame.js";
import { type FieldProps, FormContext, useField } from "./form-context.js";

/** One of several kinds of value: a switch between them, and the fields of the one that is chosen. */
export function UnionField(props: FieldProps & { readonly branches: readonly Branch[] }) {
  const { branches, path, label, value, onChange } = props;
  const { root, Field } = useContext(FormContext);
  const { id } = useField(path);
  // An incomplete value may fit no branch, or a different branch from the chosen one.
  const [chosen, setChosen] = useState<string>();
  const kept = branches.find((branch) => branch.label === chosen);
  const fitting = branches.find(({ schema }) => fits(value, schema, root));
  const branch =
    kept !== undefined && (fitting === undefined || fits(value, kept.schema, root)) ? kept : fitting;
  const shown = branch ?? kept ?? closest(branches, value, root) ?? branches[0];
  const latest = useLatest({ onChange, value });
  const choose = (name: string) => {
    const next = branches.find((one) => one.label === name);
    if (next === undefined) return;
    setChosen(name);
    latest.current.onChange(carried(latest.current.value, next.schema, root));
  };
  if (shown === undefined) return null;
  return (
    <Group {...props} id={`${id}:union`} messages={[]}>
      <div class="branches">
        {branches.length <= 4 ? (
          <Choice
            label={`Kind of ${label}`}
            name={`${id}:branch`}
            options={branches.map((one) => ({ value: one.label, label: one.label }))}
            value={shown.label}
            onChange={choose}
          />
        ) : (
          <label class="menu">
            <span>Kind</span>
            <select value={shown.label} onChange={(event) => choose(event.currentTarget.value)}>
              {branches.map((one) => (
                <option key={one.label} value={one.label}>
                  {one.label}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <Field
        {...props}
        key={shown.label}
        schema={shown.schema}
        label={shown.label}
        // The group has the label, and what takes the value away.
        plain={true}
        onRemove={undefined}
        onReset={undefined}
        onChange={(next) => latest.current.onChange(next)}
      />
    </Group>
  );
}

/** The branch that shares most names with an object that fits none. */
function closest(branches: readonly Branch[], value: unknown, root: JsonObject): Branch | undefined {
  if (!isObject(value)) return undefined;
  const shared = ({ schema }: Branch) => {
    const example = exampleValue(schema, root);
    return isObject(example) ? Object.keys(example).filter((name) => Object.hasOwn(value, name)).length : 0;
  };
  return [...branches].sort((one, other) => shared(other) - shared(one))[0];
}

/** A new value that keeps what the old one had under the same names, where that fits. */
function carried(from: unknown, schema: JsonObject, root: JsonObject): unknown {
  const fresh = exampleValue(schema, root);
  if (!isObject(from) || !isObject(fresh)) return fresh;
  let value: JsonObject = fresh;
  for (const name of Object.keys(fresh)) {
    const kept = { ...value, [name]: from[name] };
    if (Object.hasOwn(from, name) && fits(kept, schema, root)) value = kept;
  }
  return value;
}
