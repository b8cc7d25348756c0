import type { Band, Bands, Explanation, FieldExplanation, Flip } from "@decern/core";
import { resolveSchema } from "../json/schema.js";
import { isObject, type JsonObject, own, pointerTokens, textOf, withProperty } from "../json/values.js";

/** One sentence about a change, in parts: what the page sets in code is apart. */
interface FlipSentence {
  readonly condition: string;
  readonly rule: string | undefined;
  readonly consequence: string;
}

/**
 * Says what a change does.
 *
 * @param label - what the form calls the field
 */
export function flipSentence(label: string, { value }: FieldExplanation, flip: Flip): FlipSentence {
  return {
    condition: `${conditionOf(label, value, flip)}, `,
    rule: flip.matchedRule,
    consequence: consequenceOf(flip),
  };
}

function conditionOf(label: string, value: unknown, flip: Pick<Flip, "to">): string {
  if (!("to" in flip)) return `Without ${label}`;
  if (value === undefined) return `With ${label} set to ${valueText(flip.to)}`;
  return `With ${label} ${valueText(flip.to)} instead of ${valueText(value)}`;
}

function consequenceOf({ matchedRule, changesRule }: Flip): string {
  if (matchedRule === undefined) return "no rule matches";
  return changesRule ? " decides" : " still decides, with another output";
}

/** By rule: the change of one field with which it would decide. So the field's value is why it did not match. */
export function nearMisses(
  { fields }: Pick<Explanation, "fields">,
  root: JsonObject,
): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const field of fields) {
    const label = fieldLabel(field.path, root);
    const changes = [...field.flips.filter(({ changesRule }) => changesRule), ...bandEdges(field)];
    for (const { matchedRule, ...change } of changes) {
      if (matchedRule === undefined || found.has(matchedRule)) continue;
      found.set(matchedRule, `${conditionOf(label, field.value, change)}, it would decide.`);
    }
  }
  return Object.fromEntries(found);
}

/** The value of each band that is nearest to the field's. */
function bandEdges({ value, bands }: FieldExplanation): readonly Pick<Flip, "to" | "matchedRule">[] {
  return (bands?.list ?? []).flatMap(({ from, to, matchedRule }) => {
    if (typeof value !== "number" || typeof from !== "number" || typeof to !== "number") return [];
    if (matchedRule === undefined || (from <= value && value <= to)) return [];
    return [{ to: value > to ? to : from, matchedRule }];
  });
}

// Making one takes longer than all else in a sentence.
const figures = new Intl.NumberFormat("en", { maximumFractionDigits: 12 });

/** A value as people write it. */
function valueText(value: unknown): string {
  if (typeof value === "number") return figures.format(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null) return "null";
  return typeof value === "string" ? `“${value}”` : JSON.stringify(value);
}

/** What a band says in addition to its colour. */
export function bandText({ from, to, status, matchedRule }: Band): string {
  const range = from === to ? valueText(from) : `${valueText(from)} to ${valueText(to)}`;
  return `${range}: ${matchedRule ?? (status === "NO_MATCH" ? "no rule" : "fails")}`;
}

/** A part of a slider, in per cent of its length. */
interface BandPart {
  readonly start: number;
  readonly length: number;
  readonly band: Band;
}

/** Where the bands of a number are on a slider. Each begins halfway to the one before it. */
export function bandParts({ list }: Bands, min: number, max: number): readonly BandPart[] {
  const place = (value: number): number => (100 * (Math.min(max, Math.max(min, value)) - min)) / (max - min);
  return list.flatMap((band, index): BandPart[] => {
    if (typeof band.from !== "number" || typeof band.to !== "number") return [];
    const before = list[index - 1]?.to;
    const after = list[index + 1]?.from;
    const start = place(typeof before === "number" ? (before + band.from) / 2 : band.from);
    const end = place(typeof after === "number" ? (band.to + after) / 2 : band.to);
    return end > start ? [{ start, length: end - start, band }] : [];
  });
}

/** What the form calls a field: its title, else its name. The item of a list has its number, and what the list is called. */
export function fieldLabel(pointer: string, root: JsonObject): string {
  let schema: JsonObject | undefined = root;
  let label = "the input";
  for (const token of pointerTokens(pointer)) {
    const resolved: JsonObject = schema === undefined ? {} : resolveSchema(schema, root);
    const properties: unknown = resolved["properties"];
    const property: unknown = isObject(properties) ? own(properties, token) : undefined;
    if (/^\d+$/.test(token) && property === undefined) {
      const items: unknown = resolved["items"];
      schema = isObject(items) ? items : undefined;
      label = `${label} ${Number(token) + 1}`;
    } else {
      const inList: string = / \d+$/.exec(label) === null ? "" : `${label}, `;
      schema = isObject(property) ? property : undefined;
      label = inList + ((schema && textOf(resolveSchema(schema, root), "title")) ?? token);
    }
  }
  return label;
}

/** A copy of a value with the value at a JSON Pointer replaced, or left out when it is undefined. */
export function withValueAt(root: unknown, pointer: string, value: unknown): unknown {
  return replace(root, pointerTokens(pointer), value);
}

function replace(root: unknown, [token, ...rest]: readonly string[], value: unknown): unknown {
  if (token === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((item, index) => (String(index) === token ? replace(item, rest, value) : item));
  }
  const object = isObject(root) ? root : {};
  return withProperty(object, token, replace(own(object, token), rest, value));
}
