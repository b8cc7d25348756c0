import { useContext, useState } from "preact/hooks";
import { readNumber, stepped } from "../json/reading.js";
import { constraintsOf, resolveSchema } from "../json/schema.js";
import { type JsonObject, numberOf, textOf } from "../json/values.js";
import { Draft } from "../model/call.js";
import { verbatim } from "../parts/controls.js";
import { described, FieldFrame } from "./field-frame.js";
import { type FieldProps, FormContext, focusSoon, useField } from "./form-context.js";
import { SliderBands, useRuleAt } from "./slider-bands.js";

interface NumberFieldProps extends FieldProps {
  readonly integer: boolean;
}

/** A slider is useful only if its positions can be distinguished. */
const sliderSpan = 1000;

/**
 * A number, with a slider when its bounds are close. It is a text input: a number input reports another value than it shows
 * (`7e` is empty, `1,5` is 15), and the mouse wheel changes it.
 */
export function NumberField(props: NumberFieldProps) {
  const { integer, path, label, value, onChange } = props;
  const { root } = useContext(FormContext);
  const { id, messages } = useField(path);
  const schema = resolveSchema(props.schema, root);
  const about = {
    id,
    hint: constraintsOf(schema).join(" · ") || undefined,
    description: textOf(schema, "description"),
    messages,
  };
  const { min, max, step } = rangeOf(schema, integer);
  const slider =
    min !== undefined && max !== undefined && max - min <= sliderSpan && max > min ? { min, max } : undefined;
  const meant = value instanceof Draft ? meantBy(value.text) : undefined;
  return (
    <FieldFrame
      {...props}
      {...about}
      short={slider === undefined}
      suggestion={
        meant === undefined
          ? undefined
          : {
              text: meant,
              use: () => {
                onChange(Number(meant));
                focusSoon(id);
              },
            }
      }
    >
      <span class={slider === undefined ? "number" : "number with-slider"}>
        <NumberText
          {...described(about)}
          id={id}
          inputMode={integer ? "numeric" : "decimal"}
          value={value}
          step={(from, direction) => stepped(from, direction * (step ?? 1), { min, max })}
          onChange={onChange}
        />
        {slider === undefined ? null : (
          <Slider {...slider} step={step} path={path} label={label} value={value} onChange={onChange} />
        )}
      </span>
      {slider === undefined ? <Grouped value={value} /> : null}
    </FieldFrame>
  );
}

function rangeOf(schema: JsonObject, integer: boolean) {
  return {
    min: numberOf(schema, "minimum"),
    max: numberOf(schema, "maximum"),
    step: numberOf(schema, "multipleOf") ?? (integer ? 1 : undefined),
  };
}

/** A large number as people write it, also before there is one, so that nothing moves. */
function Grouped({ value }: { readonly value: unknown }) {
  const isLarge = typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) >= 10_000;
  return isLarge ? (
    <span class="grouped" aria-hidden="true">
      {value.toLocaleString("en")}
    </span>
  ) : null;
}

interface SliderProps extends Pick<FieldProps, "path" | "label" | "value" | "onChange"> {
  readonly min: number;
  readonly max: number;
  readonly step: number | undefined;
}

function Slider({ path, label, value, min, max, step, onChange }: SliderProps) {
  const rule = useRuleAt(path, value);
  return (
    <>
      <input
        type="range"
        class={typeof value === "number" ? undefined : "unset"}
        aria-label={`${label}, slider`}
        aria-valuetext={rule === undefined || typeof value !== "number" ? undefined : `${value}, ${rule}`}
        min={min}
        max={max}
        step={step ?? (max - min) / 100}
        value={typeof value === "number" ? value : min}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
      <SliderBands path={path} min={min} max={max} />
    </>
  );
}

/** Thousands with separators, or a comma for the decimal point: people write numbers so, JSON does not. */
function meantBy(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^-?\d{1,3}(?:([,.'’ \u00a0\u202f])\d{3})(?:\1\d{3})*$/.test(trimmed))
    return trimmed.replaceAll(/[^\d-]/g, "");
  return /^-?\d+,\d+$/.test(trimmed) ? trimmed.replace(",", ".") : undefined;
}

interface NumberTextProps extends ReturnType<typeof described> {
  readonly id: string;
  readonly inputMode: "numeric" | "decimal";
  readonly value: unknown;
  /** The next number up or down. */
  readonly step: (from: number, direction: 1 | -1) => number;
  readonly onChange: (value: unknown) => void;
}

/** The text of a number, while it is typed and after. The arrow keys change it by a step. */
function NumberText({ value, step, onChange, ...attributes }: NumberTextProps) {
  const [written, setWritten] = useState("");
  const write = (text: string) => {
    setWritten(text);
    onChange(text === "" ? undefined : fromText(text));
  };
  // Leaving the field, or submitting from it, ends the typing.
  const finish = () => {
    if (value instanceof Draft && !value.shown) onChange(new Draft({ ...value, shown: true }));
  };
  return (
    <input
      {...attributes}
      type="text"
      aria-roledescription="number field"
      {...verbatim}
      placeholder={value === undefined ? "not set" : undefined}
      value={shownText(written, value)}
      onInput={(event) => write(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish();
        const direction = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : undefined;
        if (direction === undefined || value instanceof Draft) return;
        event.preventDefault();
        onChange(step(typeof value === "number" ? value : 0, direction));
      }}
    />
  );
}

function fromText(text: string): number | Draft {
  const reading = readNumber(text);
  if ("value" in reading) return reading.value;
  return new Draft({ text, problem: reading.problem, shown: !reading.unfinished });
}

/** Keeps the user's spelling for as long as the value is the same: `1.0` may become `1.05`. */
function shownText(written: string, value: unknown): string {
  if (value instanceof Draft) return value.text;
  if (typeof value !== "number") return "";
  const reading = readNumber(written);
  return "value" in reading && reading.value === value ? written : JSON.stringify(value);
}
