import type { JsonSchema, Problem } from "@decern/core";
import { escapePointer, isJsonObject, normalizeSchemaNode } from "@decern/core/schema";
import { copyJson } from "../export/copy-json.js";
import { patternProblem } from "../pattern/pattern-problem.js";
import { formatTypes } from "../validate/formats.js";
import { Definitions, type Entry, idOf, refTo } from "./definitions.js";
import { keywordProblem } from "./keyword-problem.js";
import { KEYWORDS, type Keyword, REFUSED_KINDS } from "./keywords.js";
import { type Place, rootPlace, step } from "./place.js";
import { tidy } from "./tidy.js";

/** The default of a property, which validation fills in. */
interface Default {
  readonly path: string;
  readonly place: Place;
  readonly schema: JsonSchema;
}

const maxDepth = 100;

/** Walks through a type once. Copies what JSON can carry and reports the rest. */
export class TypeReader {
  readonly definitions = new Definitions();
  readonly problems: Problem[] = [];
  /** Defaults of properties. */
  readonly defaults: Default[] = [];
  readonly #allowUnsafePatterns: boolean;

  constructor(options: { readonly allowUnsafePatterns: boolean }) {
    this.#allowUnsafePatterns = options.allowUnsafePatterns;
  }

  read(type: unknown): JsonSchema {
    return this.#schema(type, rootPlace);
  }

  #report(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  #schema(type: unknown, place: Place): JsonSchema {
    if (type === true) return {};
    if (type === false) return { not: {} };
    if (!isJsonObject(type)) {
      this.#report(place.path, "must be a type");
      return {};
    }
    if (place.depth > maxDepth) {
      this.#report(place.path, "is nested too deeply; a type that contains itself needs Type.Cyclic");
      return {};
    }
    if (this.#refusesKind(type, place.path)) return {};
    const inner = this.#enterScope(type, place);
    const schema: Record<string, unknown> = {};
    for (const name of Object.keys(type)) {
      const value = type[name];
      if (value === undefined) continue;
      const keyword = KEYWORDS.get(name);
      if (keyword === undefined) this.#extension(schema, name, value, place);
      else this.#keyword(schema, name, keyword, value, inner, type);
    }
    return normalizeSchemaNode(tidy(schema, type["~kind"] === "Record"));
  }

  /** Refuses types whose values are not JSON, or whose check is not part of the schema. TypeBox marks them. */
  #refusesKind(type: JsonSchema, path: string): boolean {
    const kind = type["~kind"];
    const instead =
      typeof kind === "string" && Object.hasOwn(REFUSED_KINDS, kind) ? REFUSED_KINDS[kind] : undefined;
    if (instead !== undefined) this.#report(path, `is a ${kind}, which JSON cannot carry; use ${instead}`);
    else if ("~standard" in type)
      this.#report(path, "is already a schema, not a TypeBox type; pass it without typebox()");
    else if ("~codec" in type)
      this.#report(path, "is a codec, which JSON Schema cannot express; convert values in the rules");
    else if ("~refine" in type)
      this.#report(path, "has a refinement, which JSON Schema cannot express; check it in a rule");
    else if (isUnsafeNothing(type))
      this.#report(path, "is Type.Unsafe without a schema; use Type.Never() or Type.Unknown()");
    else return false;
    return true;
  }

  #enterScope(type: JsonSchema, place: Place): Place {
    const id = idOf(type);
    if (id !== undefined) this.definitions.identify(id, type);
    const surrounding = id === undefined ? place.resource : undefined;
    const entries = [...entriesOf(type, "$defs"), ...entriesOf(type, "definitions")];
    if (entries.length === 0 && surrounding !== undefined) return place;
    const { scope, resource, unread } = this.definitions.open(entries, place.scope, surrounding);
    for (const [name, schema] of unread) {
      const path = `${place.path}/$defs/${escapePointer(name)}`;
      const depth = place.depth + 1;
      const inside = { path, depth, scope, resource, definition: name, here: true, test: false };
      this.definitions.schemas.set(name, this.#schema(schema, inside));
    }
    return { ...place, scope, resource };
  }

  #extension(schema: Record<string, unknown>, name: string, value: unknown, place: Place): void {
    const path = `${place.path}/${token(name)}`;
    if (!name.startsWith("x-")) return this.#report(path, "is not a known keyword");
    this.#plain(schema, name, "annotation", value, path);
  }

  #plain(
    schema: Record<string, unknown>,
    name: string,
    kind: Keyword["value"],
    value: unknown,
    path: string,
  ): void {
    const problem = keywordProblem(kind, value, this.#allowUnsafePatterns);
    if (problem === undefined) schema[name] = copyJson(value);
    else this.#report(path, problem);
  }

  #keyword(
    schema: Record<string, unknown>,
    name: string,
    keyword: Keyword,
    value: unknown,
    place: Place,
    type: JsonSchema,
  ): void {
    const path = `${place.path}/${name}`;
    const misplaced = misplacement(name === "format" ? formatTypes(value) : keyword.on, type["type"]);
    if (misplaced !== undefined) return this.#report(path, misplaced);
    switch (keyword.value) {
      case "dropped":
      case "scope":
        return;
      case "id":
        // Only checked: references to it are resolved by now.
        return this.#plain({}, name, keyword.value, value, path);
      case "ref":
        schema[name] = this.#ref(value, path, place);
        return;
      case "schema":
        schema[name] = this.#schema(value, step(place, keyword, path));
        return;
      case "schemaOrBoolean":
        schema[name] = typeof value === "boolean" ? value : this.#schema(value, step(place, keyword, path));
        return;
      case "schemaOrList":
        schema[name] = Array.isArray(value)
          ? this.#tuple(value, step(place, keyword, path))
          : this.#schema(value, step(place, keyword, path));
        return;
      case "schemaList":
        if (!Array.isArray(value) || value.length === 0) this.#report(path, "must list at least one type");
        else schema[name] = this.#list(value, step(place, keyword, path));
        return;
      case "schemaMap":
      case "patternMap":
        schema[name] = this.#map(name, value, step(place, keyword, path));
        return;
      case "pattern":
        return this.#plain(schema, name, keyword.value, this.#patternText(value, path), path);
      default:
        return this.#plain(schema, name, keyword.value, value, path);
    }
  }

  #list(types: readonly unknown[], place: Place): readonly JsonSchema[] {
    return types.map((type, index) => this.#schema(type, { ...place, path: `${place.path}/${index}` }));
  }

  #tuple(types: readonly unknown[], place: Place): readonly JsonSchema[] {
    const schemas = this.#list(types, place);
    for (const [index, schema] of schemas.entries()) {
      if ("default" in schema)
        this.#report(
          `${place.path}/${index}`,
          "has a default, which cannot be filled in for an item of a tuple",
        );
    }
    return schemas;
  }

  #map(keyword: string, types: unknown, place: Place): JsonSchema {
    if (!isJsonObject(types)) {
      this.#report(place.path, "must be an object");
      return {};
    }
    const schemas: Record<string, JsonSchema> = {};
    for (const name of Object.keys(types)) {
      const path = `${place.path}/${token(name)}`;
      if (name === "__proto__") {
        this.#report(path, "cannot be the name of a property");
        continue;
      }
      if (keyword === "patternProperties") {
        const problem = patternProblem(name, this.#allowUnsafePatterns);
        if (problem !== undefined) this.#report(path, problem);
      }
      const schema = this.#schema(types[name], { ...place, path });
      if (keyword === "properties" && "default" in schema) this.defaults.push({ path, place, schema });
      schemas[name] = schema;
    }
    return schemas;
  }

  #ref(ref: unknown, path: string, place: Place): string {
    const to =
      typeof ref === "string" ? this.definitions.resolve(ref, place.scope, place.resource) : undefined;
    if (typeof ref !== "string" || to === undefined) {
      this.#report(path, `refers to ${JSON.stringify(ref)}, which ${whereDefined(ref)}; use Type.Cyclic`);
      return "";
    }
    if (!ref.startsWith("#") && /[#/?%:\\]/.test(ref)) {
      this.#report(path, `refers to ${JSON.stringify(ref)}; a name must not contain # / ? % : \\`);
    }
    const { definition, here, test } = place;
    this.definitions.link({ from: definition, to, here, test });
    return refTo(to);
  }

  #patternText(value: unknown, path: string): unknown {
    if (!(value instanceof RegExp)) return value;
    if (!/^u?$/.test(value.flags)) this.#report(path, "has flags, which JSON Schema cannot express");
    return value.source;
  }
}

/** TypeBox turns `Type.Unsafe(false)` into an empty type, which allows everything. */
function isUnsafeNothing(type: JsonSchema): boolean {
  return "~unsafe" in type && !("~kind" in type) && Object.keys(type).length === 0;
}

function entriesOf(type: JsonSchema, keyword: Entry["keyword"]): readonly Entry[] {
  const map = type[keyword];
  return isJsonObject(map) ? Object.entries(map).map(([name, schema]) => ({ keyword, name, schema })) : [];
}

function whereDefined(ref: unknown): string {
  const pointer = typeof ref === "string" && ref.startsWith("#/");
  return pointer
    ? "is not a definition of the root or of the nearest enclosing $id"
    : "is not the $id of an enclosing definition";
}

/** Escapes a name for a JSON Pointer. Few names need it, so the common case costs one test. */
function token(name: string): string {
  return /[~/]/.test(name) ? escapePointer(name) : name;
}

/** Refuses a keyword on a type it does not apply to, because validation would ignore it. */
function misplacement(on: readonly string[] | undefined, type: unknown): string | undefined {
  if (on === undefined || type === undefined) return undefined;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.some((name) => on.some((applicable) => applicable === name))) return undefined;
  return `does not apply to type ${types.join(", ")}`;
}
