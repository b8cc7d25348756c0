/** A value in the form. `draft` is the text of the JSON view while that text cannot be sent. */
export interface Edited {
  readonly value: unknown;
  readonly draft?: { readonly text: string; readonly problem: string } | undefined;
}
