/** What code has written to the console. */
export function Console({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section class="card console" aria-label={title}>
      <h3>{title}</h3>
      <pre>{lines.join("\n")}</pre>
    </section>
  );
}
