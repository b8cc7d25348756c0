import { useContext, useMemo, useRef } from "preact/hooks";
import type { FieldKind, Scalar } from "../json/field-kind.js";
import { constraintsOf, resolveSchema } from "../json/schema.js";
import { type JsonObject, listOf, numberOf, textOf, withProperty } from "../json/values.js";
import { Draft } from "../model/call.js";
import { type DateFormat, dateShapes, fromPickerValue, isDateFormat, toPickerValue } from "../model/dates.js";
import { Icon, QuietButton, verbatim } from "../parts/controls.js";
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
        {...verbatim}
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
      <QuietButton class="square" aria-label={`Choose ${label} in a calendar`} onClick={open}>
        <Icon name="calendar" />
      </QuietButton>
    </span>
  );
}

type ScalarKind = Extract<FieldKind, { readonly kind: "string" | "boolean" | "enum" }>;

/** A text, a yes or no, or one value of a list. */
export function ScalarField(props: FieldProps & { readonly kind: ScalarKind }) {
  const { kind, path } = props;
  const { root } = useContext(FormContext);
  const schema = resolveSchema(props.schema, root);
  const { id, messages } = useField(path);
  const about = {
    id,
    hint: kind.kind === "enum" ? undefined : hintOf(schema) || undefined,
    description: textOf(schema, "description"),
    messages,
  };
  const isShort = kind.kind !== "string" || isDateFormat(kind.format) || isCode(schema);
  return (
    <FieldFrame {...props} {...about} short={isShort}>
      <Control {...props} aria={{ id, ...described(about) }} />
    </FieldFrame>
  );
}

/** The longest text that fits half a row. */
const longestCode = 20;

/** Whether a text is short by its nature: a pattern or a length says so, and so do its examples. */
function isCode(schema: JsonObject): boolean {
  if ((numberOf(schema, "maxLength") ?? Number.POSITIVE_INFINITY) <= longestCode) return true;
  const examples = listOf(schema, "examples") ?? [];
  const isBrief = examples.every((example) => typeof example === "string" && example.length <= longestCode);
  return textOf(schema, "pattern") !== undefined && isBrief && examples.length > 0;
}

function hintOf(schema: JsonObject): string {
  const format = textOf(schema, "format");
  if (!isDateFormat(format)) return constraintsOf(shownPart(schema)).join(" · ");
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
        ...verbatim,
      } as const;
      return kind.long ? (
        <textarea {...shared} rows={3} onInput={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <input {...shared} type="text" onInput={(event) => onChange(event.currentTarget.value)} />
      );
    }
  }
}

/** From so many values on, a list is searched and not scrolled. */
const searchedFrom = 20;

function EnumControl(props: ControlProps & { readonly values: readonly Scalar[] }) {
  const { aria, values, value, onChange } = props;
  if (values.length >= searchedFrom) return <SearchedControl {...props} />;
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
          {optionText(one)}
        </option>
      ))}
    </select>
  );
}

/** One of many values: typing finds those that have the text in them. */
function SearchedControl({
  aria,
  values,
  value,
  onChange,
}: ControlProps & { readonly values: readonly Scalar[] }) {
  const options = useMemo(() => new Map(values.map((one) => [optionText(one), one])), [values]);
  const list = `${aria.id}:list`;
  return (
    <>
      <input
        {...aria}
        type="text"
        list={list}
        {...verbatim}
        placeholder={`Search ${values.length} values`}
        value={value instanceof Draft ? value.text : isScalar(value) ? optionText(value) : ""}
        // What is there would be searched for: typing replaces it.
        onFocus={(event) => event.currentTarget.select()}
        onInput={({ currentTarget: { value: text } }) => {
          const problem = `must be one of the ${values.length} values`;
          const chosen = options.get(text);
          onChange(text === "" ? undefined : (chosen ?? new Draft({ text, problem, shown: false })));
        }}
        onBlur={() => {
          if (value instanceof Draft && !value.shown) onChange(new Draft({ ...value, shown: true }));
        }}
      />
      <datalist id={list}>
        {values.map((one) => (
          <option key={optionText(one)} value={optionText(one)} />
        ))}
      </datalist>
    </>
  );
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function optionText(value: Scalar): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
