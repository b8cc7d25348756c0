import type { JsonSchema } from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import type { FuncKeywordDefinition } from "ajv";
import { definitionsOf, referred } from "../dialect/definitions.js";
import { Issue, typeMessage, valuesMessage } from "./issues.js";
import type { Extent, Validator, ValidatorOf } from "./validator.js";

interface Branch {
  readonly check: (value: unknown, extent: Extent) => readonly Issue[] | undefined;
  /** JSON types that it may accept; absent when the schema does not restrict them. */
  readonly types: readonly string[] | undefined;
  /** The values that it lists; absent when it lists no values. */
  readonly values: readonly unknown[] | undefined;
  readonly properties: JsonSchema;
}

/** The alternatives of a union. Explains why a value matches none of them. */
class Union {
  readonly #branches: readonly Branch[];

  constructor(branches: readonly JsonSchema[], definitions: JsonSchema, validatorOf: ValidatorOf) {
    this.#branches = branches.map((schema) => toBranch(schema, definitions, validatorOf));
  }

  explain(value: unknown, extent: Extent): readonly Issue[] {
    const type = typeOf(value);
    const candidates = this.#branches.filter(({ types }) => {
      if (types === undefined || types.includes(type)) return true;
      return type === "number" && types.includes("integer");
    });
    const [only, second] = candidates;
    if (only === undefined) {
      const types = new Set(this.#branches.flatMap(({ types }) => types ?? []));
      return [new Issue("", typeMessage([...types]), "type")];
    }
    if (second === undefined) return only.check(value, extent) ?? this.#vague(candidates);
    return listed(candidates) ?? this.#discriminated(candidates, value, extent) ?? this.#vague(candidates);
  }

  /** For objects with a discriminating property: what is wrong with the alternative that the value selects. */
  #discriminated(
    candidates: readonly Branch[],
    value: unknown,
    extent: Extent,
  ): readonly Issue[] | undefined {
    if (!isJsonObject(value)) return undefined;
    const name = discriminator(candidates);
    if (name === undefined) return undefined;
    const pointer = `/${escapePointer(name)}`;
    if (!Object.hasOwn(value, name)) return [new Issue(pointer, "is required", "required")];
    const tag = value[name];
    const meant = candidates.find(({ properties }) => literals(properties[name])?.includes(tag));
    if (meant !== undefined) return meant.check(value, extent);
    const tags = candidates.flatMap(({ properties }) => literals(properties[name]) ?? []);
    return [new Issue(pointer, valuesMessage([...new Set(tags)]), "enum")];
  }

  #vague(candidates: readonly Branch[]): readonly Issue[] {
    return [new Issue("", `must match one of the ${candidates.length} allowed forms`, "anyOf")];
  }
}

/** The first property whose scalar literals identify every branch. */
function discriminator(branches: readonly Branch[]): string | undefined {
  const [first] = branches;
  return Object.keys(first?.properties ?? {}).find((name) => {
    const tags = branches.map(({ properties }) => literals(properties[name]));
    const all = tags.flatMap((values) => values ?? []);
    if (tags.includes(undefined) || all.some((tag) => typeof tag === "object" && tag !== null)) return false;
    return new Set(all).size === all.length;
  });
}

/** When every branch only lists values, one list of them all is enough. */
function listed(branches: readonly Branch[]): readonly Issue[] | undefined {
  if (branches.some(({ values }) => values === undefined)) return undefined;
  return [new Issue("", valuesMessage(branches.flatMap(({ values }) => values ?? [])), "enum")];
}

function toBranch(branch: JsonSchema, definitions: JsonSchema, validatorOf: ValidatorOf): Branch {
  let validator: Validator | undefined;
  const check = (value: unknown, extent: Extent): readonly Issue[] | undefined => {
    validator ??= validatorOf({ ...branch, definitions });
    return validator.accepts(value) ? undefined : validator.explain(value, extent);
  };
  let schema = branch;
  for (let target = referred(schema, definitions); target !== undefined; ) {
    schema = target;
    target = referred(schema, definitions);
  }
  const type = schema["type"];
  const values = literals(schema);
  const types: readonly string[] | undefined = Array.isArray(type)
    ? type.map(String)
    : typeof type === "string"
      ? [type]
      : values?.map(typeOf);
  const properties = schema["properties"];
  return { check, types, values, properties: isJsonObject(properties) ? properties : {} };
}

function literals(schema: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(schema)) return undefined;
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

type DataValidateFunction = ReturnType<NonNullable<FuncKeywordDefinition["compile"]>>;

/** Keywords that explain a failure in a few issues, where AJV lists the errors of every alternative it tried. */
export function explainingKeywords(
  validatorOf: ValidatorOf,
  extent: Extent,
): readonly FuncKeywordDefinition[] {
  const union = (keyword: "anyOf" | "oneOf"): FuncKeywordDefinition => ({
    keyword,
    schemaType: "array",
    errors: true,
    compile: (branches: readonly unknown[], _parent, context) => {
      const definitions = definitionsOf(context);
      const whole = validatorOf({ [keyword]: branches, definitions });
      const explained = new Union(branches.filter(isJsonObject), definitions, validatorOf);
      return explaining(keyword, whole, (value) => explained.explain(value, extent));
    },
  });
  return [union("anyOf"), union("oneOf"), containsKeyword(validatorOf)];
}

/** `contains`, without the errors that AJV collects for every item that does not match. */
export function containsKeyword(validatorOf: ValidatorOf): FuncKeywordDefinition {
  return {
    keyword: "contains",
    type: "array",
    schemaType: "object",
    compile: (schema: JsonSchema, _parent, context) => {
      const item = validatorOf({ ...schema, definitions: definitionsOf(context) });
      return (items: readonly unknown[]) => items.some((value) => item.accepts(value));
    },
  };
}

function explaining(
  keyword: string,
  whole: Validator,
  explain: (value: unknown) => readonly Issue[],
): DataValidateFunction {
  const check: DataValidateFunction = (value: unknown) => {
    if (whole.accepts(value)) return true;
    check.errors = [{ keyword, params: { issues: explain(value) } }];
    return false;
  };
  return check;
}
