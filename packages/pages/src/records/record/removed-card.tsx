/** One mask may remove thousands of values. */
const shownPointers = 100;

/** Where values were removed before the record was written. */
export function RemovedCard({ masked }: { readonly masked: readonly string[] }) {
  if (masked.length === 0) return null;
  return (
    <section class="card" aria-labelledby="removed-title">
      <div class="card-head">
        <h2 id="removed-title">Removed before writing</h2>
        <span class="count-tag">{masked.length}</span>
      </div>
      <ul class="pointers">
        {masked.slice(0, shownPointers).map((pointer) => (
          <li key={pointer}>
            <code>{pointer === "" ? "(all data of the call)" : pointer}</code>
          </li>
        ))}
      </ul>
      {masked.length > shownPointers ? (
        <p class="field-description">And {masked.length - shownPointers} more.</p>
      ) : null}
    </section>
  );
}
