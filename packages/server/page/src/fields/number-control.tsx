import { useState } from "preact/hooks";
import { type JsonObject, numberOf } from "../model/json.js";
import type { described } from "./field-frame.js";

interface NumberControlProps {
  readonly aria: { readonly id: string } & ReturnType<typeof described>;
  readonly label: string;
  readonly schema: JsonObject;
  readonly integer: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A slider says more than a number while every place on it can be told from the next. */
const sliderSpan = 1000;

/** A number, with a slider beside it where its bounds are near each other. */
export function NumberControl({ aria, label, schema, integer, value, onChange }: NumberControlProps) {
  const [text, setText] = useState("");
  const min = numberOf(schema, "minimum");
  const max = numberOf(schema, "maximum");
  const step = numberOf(schema, "multipleOf") ?? (integer ? 1 : "any");
  // "1.0" on its way to "1.05" is not to be tidied up under the writer's hands.
  const shown = text !== "" && Number(text) === value ? text : typeof value === "number" ? String(value) : "";
  const slider = min !== undefined && max !== undefined && max - min <= sliderSpan && max > min;
  return (
    <span class={slider ? "number with-slider" : "number"}>
      <input
        {...aria}
        type="number"
        inputMode={integer ? "numeric" : "decimal"}
        min={min}
        max={max}
        step={step}
        placeholder={value === undefined ? "not set" : undefined}
        value={shown}
        onInput={(event) => {
          const input = event.currentTarget;
          if (input.validity.badInput) return;
          setText(input.value);
          onChange(input.value === "" ? undefined : Number(input.value));
        }}
      />
      {slider ? (
        <input
          type="range"
          aria-label={`${label}, slider`}
          min={min}
          max={max}
          step={step === "any" ? (max - min) / 100 : step}
          value={typeof value === "number" ? value : min}
          onInput={(event) => onChange(Number(event.currentTarget.value))}
        />
      ) : null}
    </span>
  );
}
