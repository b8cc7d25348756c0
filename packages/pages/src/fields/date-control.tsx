import { useRef } from "preact/hooks";
import { type DateFormat, dateShapes, fromPickerValue, toPickerValue } from "../model/picker-value.js";
import { Icon } from "../parts/icons.js";
import type { described } from "./field-frame.js";

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
export function DateControl({ format, label, text, aria, onChange }: DateControlProps) {
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
