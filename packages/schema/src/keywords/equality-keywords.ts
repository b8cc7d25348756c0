import { _, type Code, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { isEqualJson } from "./is-equal-json.js";

/** With this many values or more, a lookup replaces one comparison after another. */
const manyValues = 200;

/**
 * `const` and `enum`. When the schema's value is an object or a list, AJV's own versions call `valueOf` and `toString` of
 * the caller's value, which can hold anything under those names.
 */
export const equalityKeywords: readonly CodeKeywordDefinition[] = [
  {
    keyword: "const",
    error: { message: "", params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
    code: (context) => context.pass(isOneOf(context, [context.schema])),
  },
  {
    keyword: "enum",
    schemaType: "array",
    error: { message: "", params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
    code: (context) => context.pass(isOneOf(context, context.schema)),
  },
];

function isOneOf({ gen, data }: KeywordCxt, values: readonly unknown[]): Code {
  if (values.length < manyValues && values.every(isScalar)) {
    return values.map((value) => _`${data} === ${value}`).reduce((some, next) => _`${some} || ${next}`);
  }
  const matches = gen.scopeValue("func", { ref: matcher(values) });
  return _`${matches}(${data})`;
}

function matcher(values: readonly unknown[]): (value: unknown) => boolean {
  const scalars = new Set<unknown>(values.filter(isScalar));
  const others = values.filter((value) => !isScalar(value));
  return (value) => scalars.has(value) || others.some((other) => isEqualJson(value, other));
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
