import type { ComponentChildren } from "preact";

export interface Fact {
  readonly name: string;
  /** Undefined leaves the fact out. */
  readonly value: ComponentChildren;
}

/** Names and values, one below the other. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ name, value }) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
