import { useContext, useRef } from "preact/hooks";
import type { FieldKind, Scalar } from "../json/field-kind.js";
import { constraintsOf, resolveSchema } from "../json/schema.js";
import { type JsonObject, textOf, withProperty } from "../json/values.js";
import { type DateFormat, dateShapes, fromPickerValue, isDateFormat, toPickerValue } from "../model/dates.js";
import { Icon } from "../parts/controls.js";
import { described, FieldFrame } from "./field-frame.js";
import { type FieldProps, FormContext, useField } from "./form-context.js";

interface DateControlProps {
  readonly format: DateFormat;
  readonly label: string;
  /** Undefined while no value is set. */
  readonly text: string | undefined;
  readonly aria: { readonly id: string } & ReturnType<typeof described>;
  readonly onChange: (text: string | undefined) => void;
}

/**
 * A date as text, which is what is sent, and the browser's calendar to pick one. The calendar belongs to a native field that
 * is kept in step but not shown: it would show the date in another form, and hide a text that is not a date.
 */
function DateControl({ format, label, text, aria, onChange }: DateControlProps) {
  const picker = useRef<HTMLInputElement>(null);
  const isDay = format === "date";
  const open = () => {
    try {
      picker.current?.showPicker();
    } catch {
      // Frames of other origins may not open it. The text can still be written.
      document.getElementById(aria.id)?.focus();
    }
  };
  return (
    <span class="with-picker">
      <input
        {...aria}
        type="text"
        value={text ?? ""}
        placeholder={text === undefined ? `not set, ${dateShapes[format]}` : undefined}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <input
        ref={picker}
        class="picker"
        type={isDay ? "date" : "datetime-local"}
        step={isDay ? undefined : 1}
        tabIndex={-1}
        aria-hidden="true"
        value={toPickerValue(format, text ?? "")}
        onInput={({ currentTarget: { value } }) =>
          onChange(value === "" ? undefined : fromPickerValue(format, value, text ?? ""))
        }
      />
      <button type="button" class="quiet square" aria-label={`Choose ${label} in a calendar`} onClick={open}>
        <Icon name="calendar" />
      </button>
    </span>
  );
}

type ScalarKind = Extract<FieldKind, { readonly kind: "string" | "boolean" | "enum" }>;

/** A text, a yes or no, or one value of a list. */
export function ScalarField(props: FieldProps & { readonly kind: ScalarKind }) {
  const { kind, path, label, required, onRemove, onReset } = props;
  const { root } = useContext(FormContext);
  const schema = resolveSchema(props.schema, root);
  const { id, messages } = useField(path);
  const description = textOf(schema, "description");
  const hint = kind.kind === "enum" ? undefined : hintOf(schema) || undefined;
  const last = path.at(-1);
  return (
    <FieldFrame
      id={id}
      label={label}
      name={typeof last === "string" ? last : undefined}
      required={required}
      hint={hint}
      description={description}
      messages={messages}
      onRemove={onRemove}
      onReset={onReset}
      short={kind.kind !== "string" || isDateFormat(kind.format)}
    >
      <Control {...props} aria={{ id, ...described({ id, hint, description, messages }) }} />
    </FieldFrame>
  );
}

function hintOf(schema: JsonObject): string {
  const format = textOf(schema, "format");
  if (!isDateFormat(format)) return constraintsOf(shownPart(schema)).join(" · ");
  // A library that has a pattern for its dates says the same twice.
  const rest = withProperty(withProperty(schema, "format", undefined), "pattern", undefined);
  return [dateShapes[format], ...constraintsOf(rest)].join(" · ");
}

/** A pattern is for machines: where the author describes the field, that is the hint. */
function shownPart(schema: JsonObject): JsonObject {
  return textOf(schema, "description") === undefined ? schema : withProperty(schema, "pattern", undefined);
}

interface ControlProps extends FieldProps {
  readonly kind: ScalarKind;
  readonly aria: { readonly id: string } & ReturnType<typeof described>;
}

function Control(props: ControlProps) {
  const { kind, value, onChange, aria } = props;
  switch (kind.kind) {
    case "enum":
      return <EnumControl {...props} values={kind.values} />;
    case "boolean":
      return (
        <span class="switch">
          <input
            {...aria}
            type="checkbox"
            role="switch"
            checked={value === true}
            aria-checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          <span aria-hidden="true">{value === true ? "true" : value === false ? "false" : "not set"}</span>
        </span>
      );
    case "string": {
      if (isDateFormat(kind.format) && (value === undefined || typeof value === "string")) {
        return (
          <DateControl
            format={kind.format}
            label={props.label}
            text={value}
            aria={aria}
            onChange={onChange}
          />
        );
      }
      const shared = {
        ...aria,
        value: typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value),
        placeholder: value === undefined ? "not set" : undefined,
        spellcheck: false,
        autocomplete: "off",
      } as const;
      return kind.long ? (
        <textarea {...shared} rows={3} onInput={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <input {...shared} type="text" onInput={(event) => onChange(event.currentTarget.value)} />
      );
    }
  }
}

function EnumControl({
  aria,
  values,
  value,
  onChange,
}: ControlProps & { readonly values: readonly Scalar[] }) {
  const index = values.findIndex((one) => Object.is(one, value));
  const foreign = index < 0 && value !== undefined;
  return (
    <select
      {...aria}
      value={String(index)}
      onChange={(event) => {
        const chosen = values[Number(event.currentTarget.value)];
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {index >= 0 ? null : (
        <option value="-1" disabled>
          {foreign ? `${JSON.stringify(value)} (not in the list)` : "Choose…"}
        </option>
      )}
      {values.map((one, at) => (
        <option key={String(at)} value={String(at)}>
          {typeof one === "string" ? one : JSON.stringify(one)}
        </option>
      ))}
    </select>
  );
}
