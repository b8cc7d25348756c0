import { randomUUID } from "node:crypto";

/** Texts in one: PostgreSQL splits it far quicker than the driver writes an array. */
export interface JoinedText {
  readonly text: string;
  readonly separator: string;
}

/** Joins texts for {@link splitText}. The separator also ends the last one, because nothing comes of splitting an empty text. */
export function joinTexts(texts: readonly string[]): JoinedText {
  const separator = texts.some((text) => text.includes("\n")) ? `\n${randomUUID()}\n` : "\n";
  return { text: texts.join(separator) + separator, separator };
}

/** SQL that splits such a text into rows, of which the last one is to be left out. */
export function splitText(textParameter: number, separatorParameter: number): string {
  return `string_to_table($${textParameter}, $${separatorParameter})`;
}
