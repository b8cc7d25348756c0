import type { JsonSchema } from "@decern/core";
import type { Ajv, CodeKeywordDefinition, ValidateFunction } from "ajv";
import { containsKeyword, explainingKeywords } from "../explain/explaining-keywords.js";
import { Issue } from "../explain/issue.js";
import { toIssues } from "../explain/issues.js";
import { referenceKeyword } from "./references.js";
import { sharedAjv } from "./shared-ajv.js";
import { WeakCache } from "./weak-cache.js";

/** Every failing place, or the first only. */
export type Extent = "all" | "first";

/** Validates by one schema. What that needs is compiled when it is first needed. */
export interface Validator {
  /** The test itself: who keeps it pays for nothing else. */
  predicate<T>(): (value: unknown) => value is T;
  /**
   * What is wrong with the value that the test has just refused.
   *
   * @param extent - how much is looked for; left out, everything where the value is small enough
   */
  explain(value: unknown, extent?: Extent): readonly Issue[];
  /** Tests where nobody asks for reasons. */
  accepts(value: unknown): boolean;
}

const validators = new WeakCache<Validator>();

/** The validator of a schema. Equal schemas share one. */
export function validatorOf(schema: JsonSchema): Validator {
  const text = JSON.stringify(schema);
  return validators.getOrMake(text, () => {
    const ownProperties = inherited.test(text);
    return branching.test(text)
      ? new BranchingValidator(schema, ownProperties)
      : new FlatValidator(schema, ownProperties);
  });
}

/** Names that every object inherits: `value.constructor` is there without having been sent. */
const inherited = new RegExp(`"(?:${Object.getOwnPropertyNames(Object.prototype).join("|")})"`);

/** Keywords by which a value can have many more errors than the schema has keywords. */
const branching =
  /"(?:items|contains|anyOf|oneOf|\$ref|propertyNames|patternProperties)":|"additional(?:Items|Properties)":\{/;

/** Has few errors at most: one run finds them all. */
class FlatValidator implements Validator {
  readonly #schema: JsonSchema;
  readonly #ownProperties: boolean;
  #all: ValidateFunction | undefined;
  #fast: ValidateFunction | undefined;

  constructor(schema: JsonSchema, ownProperties: boolean) {
    this.#schema = schema;
    this.#ownProperties = ownProperties;
  }

  accepts(value: unknown): boolean {
    this.#fast ??= ajv("fast", this.#ownProperties).compile(this.#schema);
    return this.#fast(value);
  }

  predicate<T>(): (value: unknown) => value is T {
    const all = ajv("all", this.#ownProperties).compile<T>(this.#schema);
    this.#all = all;
    return all;
  }

  explain(): readonly Issue[] {
    return toIssues(this.#all?.errors ?? []);
  }
}

/** Decides first, and looks for every error only in a value that is small enough. */
class BranchingValidator implements Validator {
  readonly #schema: JsonSchema;
  readonly #ownProperties: boolean;
  #fast: ValidateFunction | undefined;
  #all: ValidateFunction | undefined;
  #first: ValidateFunction | undefined;

  constructor(schema: JsonSchema, ownProperties: boolean) {
    this.#schema = schema;
    this.#ownProperties = ownProperties;
  }

  accepts(value: unknown): boolean {
    this.#fast ??= ajv("fast", this.#ownProperties).compile(this.#schema);
    return this.#fast(value);
  }

  predicate<T>(): (value: unknown) => value is T {
    return ajv("fast", this.#ownProperties).compile<T>(this.#schema);
  }

  explain(value: unknown, extent: Extent = isSmall(value) ? "all" : "first"): readonly Issue[] {
    const issues = extent === "all" ? this.#every(value) : this.#one(value);
    return issues.length > 0 ? issues : [new Issue("", "is not allowed", "invalid")];
  }

  #every(value: unknown): readonly Issue[] {
    this.#all ??= ajv("explainAll", this.#ownProperties).compile(this.#schema);
    this.#all(value);
    return toIssues(this.#all.errors ?? []);
  }

  #one(value: unknown): readonly Issue[] {
    this.#first ??= ajv("explainFirst", this.#ownProperties).compile(this.#schema);
    this.#first(value);
    return toIssues(this.#first.errors ?? []);
  }
}

/** Parts of a value that are searched for more than the first error. */
const maxParts = 2_000;

function isSmall(value: unknown): boolean {
  const open: unknown[] = [value];
  for (let at = 0; at < open.length; at += 1) {
    const part = open[at];
    if (typeof part !== "object" || part === null) continue;
    if (Array.isArray(part) && part.length > maxParts) return false;
    for (const inner of Object.values(part)) open.push(inner);
    if (open.length > maxParts) return false;
  }
  return true;
}

const reference = (extent?: Extent) => (native: CodeKeywordDefinition) =>
  referenceKeyword(native, validatorOf, extent);

const modes = {
  all: { allErrors: true },
  fast: { allErrors: false, keywords: [containsKeyword(validatorOf)], reference: reference() },
  explainAll: {
    allErrors: true,
    keywords: explainingKeywords(validatorOf, "all"),
    reference: reference("all"),
  },
  explainFirst: {
    allErrors: false,
    keywords: explainingKeywords(validatorOf, "first"),
    reference: reference("first"),
  },
} as const;

function ajv(mode: keyof typeof modes, ownProperties: boolean): Ajv {
  return sharedAjv(`${mode} ${ownProperties}`, { ...modes[mode], ownProperties });
}
