interface ChoiceProps<T extends string> {
  /** The name of the choice for screen readers. */
  readonly label: string;
  readonly name: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** A few options side by side. They are radio buttons, so the arrow keys work as usual. */
export function Choice<T extends string>({ label, name, options, value, onChange }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend class="hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class={option.value === value ? "chosen" : undefined}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
