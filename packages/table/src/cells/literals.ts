import { dayOf } from "@decern/core/schema";
import type { ColumnType, Scalar } from "./condition.js";
import { durationOf, instantOf, typeNames } from "./scalar.js";

/** Something wrong with a cell: the message of a problem, a sentence without the place. */
export class CellError extends Error {
  override readonly name = "CellError";
}

/** What a reference points at, or why it points at nothing. */
export interface References {
  /** @returns `undefined` if the schema has no single value there */
  typeOf(root: "profile" | "input", path: readonly string[]): ColumnType | undefined;
}

/** A reference such as `profile.limits.weight`. */
export const referencePattern = /(profile|input)((?:\.[\p{L}_$][\p{L}\p{N}_$]*)+)/uy;

/** Where a value is read from. */
export interface Reference {
  readonly root: "profile" | "input";
  readonly path: readonly string[];
}

/** @throws CellError for a reference to nothing, or to a value of another type */
export function checkedReference(
  [text, root, names]: RegExpExecArray,
  wanted: ColumnType,
  references: References,
): Reference {
  const path = (names ?? "").split(".").slice(1);
  const place = root === "profile" ? "profile" : "input";
  const type = references.typeOf(place, path);
  if (type === undefined) throw new CellError(`"${text}" is not a value in the schema of the ${place}`);
  if (type !== wanted)
    throw new CellError(`"${text}" holds ${typeNames[type]}, and the column holds ${typeNames[wanted]}`);
  return { root: place, path };
}

export const numberPattern = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** A comma between digits can separate values or decimals; what it was meant to be is not guessed. */
export function refuseDecimalComma(text: string): void {
  const [found, before, after] = /(?<![\d.])(-?\d+(?:\.\d+)*),(\d+(?:\.\d+)*)/.exec(withoutTexts(text)) ?? [];
  if (found === undefined) return;
  // With a point as well, one of them separates thousands, or the comma two values.
  const number = found.includes(".")
    ? "for one number leave out separators of thousands, and write a decimal point"
    : `for a decimal number write ${before}.${after}`;
  throw new CellError(
    `"${found}" has a comma between digits; ${number}, for two values put a blank after the comma`,
  );
}

function withoutTexts(text: string): string {
  return text.includes('"') ? text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""') : text;
}

/** Dashes and quotation marks that word processors put in place of those of the keyboard. */
export function refuseTypography(cell: string): void {
  const text = withoutTexts(cell);
  if (/^[‐‑‒–—―−]+$/u.test(text)) throw new CellError(`"${text}" is a long dash; write - for any value`);
  const quote = /[“”„‟«»]/u.exec(text)?.[0];
  if (quote !== undefined)
    throw new CellError(`${quote} is a typographic quotation mark; write " for the start and end of a text`);
  const sign = /[≤≥≠]/u.exec(text)?.[0];
  if (sign !== undefined)
    throw new CellError(`${sign} is unknown; write ${{ "≤": "<=", "≥": ">=" }[sign] ?? "!="}`);
}

/** @throws CellError */
export function numberFrom(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new CellError(`${text} is too large for a number`);
  return value;
}

/** @throws CellError for anything but text in JSON's quotation marks */
export function quotedText(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    throw new CellError(
      `${text} is not a text; write \\" for a quotation mark in it, and \\\\ for a backslash`,
    );
  }
}

export const quotedPattern = /"(?:[^"\\]|\\.)*"/y;

/**
 * What a day, an instant or a duration stands for.
 *
 * @throws CellError with advice on how to write one
 */
export function timeFrom(type: "date" | "date-time" | "duration", text: string): Scalar {
  if (type === "date") {
    const day = dayOf(text);
    if (day === undefined) throw new CellError(`"${text}" is not a date; write it as 2026-03-31`);
    return day;
  }
  if (type === "date-time") {
    const instant = instantOf(text);
    if (instant !== undefined) return instant;
    const lacksOffset = instantOf(`${text}Z`) !== undefined;
    throw new CellError(
      lacksOffset
        ? `"${text}" has no offset from UTC; write one, such as ${text}Z or ${text}+01:00`
        : `"${text}" is not a date-time; write it as 2026-03-31T08:00:00Z`,
    );
  }
  const duration = durationOf(text);
  if (duration !== undefined) return duration;
  throw new CellError(
    /^-?P\d[^T]*[YM]/.test(text)
      ? `"${text}" has years or months, whose length varies; write days, such as P30D`
      : `"${text}" is not a duration; write it as P3D or PT1H30M`,
  );
}

/** What a date, date-time or duration may be made of. */
export const timePattern = /[-+\dPTZptzWYMDHS:.]+/y;
