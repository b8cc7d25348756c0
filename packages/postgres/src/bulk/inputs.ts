import { randomUUID } from "node:crypto";
import { numberOf, textOf } from "../client/client.js";

/** Texts in one: PostgreSQL splits it far quicker than the driver writes an array. */
interface JoinedText {
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

/** An input that was given up. */
export interface DeadLetter {
  readonly position: string;
  /** JSON text; `null` where the row is gone, or its input cannot be read. */
  readonly input: string | null;
  readonly tries: number;
  readonly reason: string;
  readonly diedAt: Date;
}

/** How many tries an input has before it becomes a dead letter. */
export const mostTries = 5;

export const reasonUnknown =
  "Every attempt ended without a result: the worker was killed, ran out of memory or hung";

/** How many inputs may be taken together, by how often the first was tried: soon each is alone with what it does. */
export function batchSize(tries: number, max: number): number {
  if (tries === 0) return max;
  return tries === 1 ? Math.min(32, max) : 1;
}

/** Reads a row with `position`, `input`, `tries`, `reason` and `died_ms`. */
export function deadLetterOf(row: object): DeadLetter {
  return {
    position: textOf(row, "position") ?? "",
    input: textOf(row, "input"),
    tries: numberOf(row, "tries"),
    reason: textOf(row, "reason") ?? "",
    diedAt: new Date(numberOf(row, "died_ms")),
  };
}
