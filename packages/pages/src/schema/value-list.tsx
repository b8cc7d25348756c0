/** More would make one row longer than the screen. */
const mostShown = 12;

/** The values that a field may have. Of many, the first are shown, and the rest unfolds. */
export function ValueList({ values }: { readonly values: readonly unknown[] }) {
  const rest = values.length - mostShown;
  // A line that unfolds takes the place of a value or two.
  if (rest <= 2) return <Values values={values} />;
  return (
    <>
      <Values values={values.slice(0, mostShown)} />
      <details class="more-values">
        <summary>{rest} more values</summary>
        <Values values={values.slice(mostShown)} />
      </details>
    </>
  );
}

function Values({ values }: { readonly values: readonly unknown[] }) {
  return (
    <span class="values">
      {values.map((value) => (
        <code key={JSON.stringify(value)}>{JSON.stringify(value)}</code>
      ))}
    </span>
  );
}
