import { type JsonObject, numberOf, textOf } from "../model/json.js";

/** The constraints of a schema besides its type, each in a few words. */
export function constraintsOf(schema: JsonObject): readonly string[] {
  const found = [
    range(
      numberOf(schema, "minimum"),
      numberOf(schema, "exclusiveMinimum"),
      numberOf(schema, "maximum"),
      numberOf(schema, "exclusiveMaximum"),
    ),
    count(numberOf(schema, "minLength"), numberOf(schema, "maxLength"), "character"),
    count(numberOf(schema, "minItems"), numberOf(schema, "maxItems"), "item"),
    count(numberOf(schema, "minProperties"), numberOf(schema, "maxProperties"), "field"),
  ];
  const multipleOf = numberOf(schema, "multipleOf");
  if (multipleOf !== undefined) found.push(`multiple of ${number(multipleOf)}`);
  const format = textOf(schema, "format");
  if (format !== undefined) found.push(`format ${format}`);
  const pattern = textOf(schema, "pattern");
  if (pattern !== undefined) found.push(`matches ${pattern}`);
  if (schema["uniqueItems"] === true) found.push("no duplicates");
  return found.filter((text) => text !== undefined);
}

function range(min?: number, above?: number, max?: number, below?: number): string | undefined {
  if (min !== undefined && max !== undefined) return `${number(min)} to ${number(max)}`;
  const low = min !== undefined ? `≥ ${number(min)}` : above !== undefined ? `> ${number(above)}` : undefined;
  const high =
    max !== undefined ? `≤ ${number(max)}` : below !== undefined ? `< ${number(below)}` : undefined;
  return low !== undefined && high !== undefined ? `${low} and ${high}` : (low ?? high);
}

function count(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const units = (amount: number) => `${number(amount)} ${unit}${amount === 1 ? "" : "s"}`;
  if (min !== undefined && min === max) return `exactly ${units(min)}`;
  if (min !== undefined && min > 0 && max !== undefined) return `${number(min)} to ${units(max)}`;
  if (max !== undefined) return `at most ${units(max)}`;
  return min !== undefined && min > 0 ? `at least ${units(min)}` : undefined;
}

function number(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 12 });
}
