import { spans } from "./records.js";

interface SpanSelectProps {
  readonly label: string;
  readonly days: number;
  readonly onChange: (days: number) => void;
}

/** A choice among {@link spans}. */
export function SpanSelect({ label, days, onChange }: SpanSelectProps) {
  return (
    <label>
      {label}{" "}
      <select value={days} onChange={({ currentTarget: { value } }) => onChange(Number(value))}>
        {spans.map((span) => (
          <option key={span} value={span}>
            {span} days
          </option>
        ))}
      </select>
    </label>
  );
}
