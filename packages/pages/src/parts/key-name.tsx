interface KeyNameProps {
  readonly label: string;
  /** The property's name. */
  readonly name: string | undefined;
}

/** The name of a property beside its label, unless the label says the same: "Credit score" and `creditScore`. */
export function KeyName({ label, name }: KeyNameProps) {
  if (name === undefined || plain(name) === plain(label)) return null;
  return <code class="field-name">{name}</code>;
}

function plain(text: string): string {
  return text.replaceAll(/[\s_-]/g, "").toLowerCase();
}
