import type { JsonSchema } from "@decern/core";
import { isJsonObject, unescapePointer } from "@decern/core/schema";
import type { SchemaObjCxt } from "ajv";

/** The key of a definition within the type that contains it. */
function pointerKey(keyword: "$defs" | "definitions", name: string): string {
  return `${keyword}/${name}`;
}

/**
 * Reads a reference such as `#/$defs/a~1b`.
 *
 * @returns the {@link pointerKey}; `undefined` for another kind of reference, and for one that AJV and TypeBox read differently
 */
function keyOfPointer(ref: string): string | undefined {
  const [, keyword, token] = /^#\/(\$defs|definitions)\/([^#/]*)$/.exec(ref) ?? [];
  if (token === undefined || (keyword !== "$defs" && keyword !== "definitions")) return undefined;
  // AJV reads an encoded slash as part of a name, TypeBox as the end of one.
  if (/%2f/i.test(token)) return undefined;
  try {
    const name = unescapePointer(decodeURIComponent(token));
    return unsafeNames.has(name) ? undefined : pointerKey(keyword, name);
  } catch {
    return undefined;
  }
}

/** Names that TypeBox never resolves. */
const unsafeNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** The definitions that a `$ref` can name by `$id` at some place, with their global names. */
export interface Scope {
  readonly names: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
}

/** The definitions that a JSON Pointer can point to at some place: those of the nearest enclosing `$id`, or of the root. */
export type Resource = ReadonlyMap<string, string>;

export interface Entry {
  readonly keyword: "$defs" | "definitions";
  readonly name: string;
  readonly schema: unknown;
}

interface Opened {
  readonly scope: Scope;
  readonly resource: Resource;
  /** Global names and schemas of the definitions to read. Empty when equal definitions were read before. */
  readonly unread: readonly (readonly [string, unknown])[];
}

interface Edge {
  readonly from: string | undefined;
  readonly to: string;
  /** Whether the reference applies to the same value as the definition it stands in. */
  readonly here: boolean;
  /** Whether the definition is only tested there. */
  readonly test: boolean;
}

/** Collects the definitions of a type at its root, where every dialect can refer to them. */
export class Definitions {
  readonly schemas = new Map<string, JsonSchema>();
  readonly #edges: Edge[] = [];
  readonly #opened = new Map<string, Opened>();
  readonly #taken = new Set<string>();
  /** Texts of all types of one `$id`. */
  readonly #texts = new Map<string, Set<string | undefined>>();
  readonly #referred = new Set<string>();

  /**
   * Opens the definitions of a type.
   *
   * @param surrounding - what a JSON Pointer can reach from outside; absent where the type starts its own resource
   */
  open(entries: readonly Entry[], outer: Scope | undefined, surrounding: Resource | undefined): Opened {
    // A definition with an `$id`, which TypeBox always sets, means the same wherever it stands.
    const alone = surrounding === undefined || entries.every(({ schema }) => idOf(schema) !== undefined);
    const text = outer === undefined && alone ? textOf(entries) : undefined;
    const known = text === undefined ? undefined : this.#opened.get(text);
    if (known !== undefined) return { ...known, resource: surrounding ?? known.resource, unread: [] };
    const named = entries.map((entry) => ({ ...entry, global: this.#allocate(entry.name) }));
    const scope = { names: new Map(named.flatMap(({ schema, global }) => withId(schema, global))), outer };
    const own = new Map(named.map(({ keyword, name, global }) => [pointerKey(keyword, name), global]));
    const unread = named.map(({ global, schema }) => [global, schema] as const);
    const opened = { scope, resource: surrounding ?? own, unread };
    if (text !== undefined) this.#opened.set(text, { ...opened, resource: own });
    return opened;
  }

  /** The global name of the definition that a `$ref` means; `undefined` when there is none. */
  resolve(ref: string, scope: Scope | undefined, resource: Resource | undefined): string | undefined {
    if (ref.startsWith("#")) {
      const key = keyOfPointer(ref);
      return key === undefined ? undefined : resource?.get(key);
    }
    for (let at = scope; at !== undefined; at = at.outer) {
      const name = at.names.get(ref);
      if (name === undefined) continue;
      this.#referred.add(ref);
      return name;
    }
    return undefined;
  }

  /** Records a type that has an `$id`. */
  identify(id: string, type: JsonSchema): void {
    const key = lastSegment(id);
    const texts = this.#texts.get(key) ?? new Set();
    this.#texts.set(key, texts.add(textOf(type)));
  }

  /** Names that references use and that several different types share. AJV rejects them; TypeBox confuses the types. */
  ambiguous(): readonly string[] {
    return [...this.#referred].filter((name) => (this.#texts.get(name)?.size ?? 0) > 1);
  }

  link(edge: Edge): void {
    this.#edges.push(edge);
  }

  /** Definitions that refer to themselves without a property or item in between: validating one would never end. */
  endless(): readonly string[] {
    const next = (name: string): string[] =>
      this.#edges.filter(({ from, here }) => here && from === name).map(({ to }) => to);
    return [...this.schemas.keys()].filter((name) => reachable(next(name), next).has(name));
  }

  /** Definitions that a union or another test applies. */
  tested(): ReadonlySet<string> {
    const start = this.#edges.filter(({ test }) => test).map(({ to }) => to);
    return reachable(start, (name) => this.#edges.filter(({ from }) => from === name).map(({ to }) => to));
  }

  /** Picks a free name. OpenAPI allows only these characters in component names. */
  #allocate(name: string): string {
    const base = name.replaceAll(/[^A-Za-z0-9._-]/g, "_") || "_";
    let free = base;
    for (let count = 2; this.#taken.has(free); count += 1) free = `${base}_${count}`;
    this.#taken.add(free);
    return free;
  }
}

function reachable(start: readonly string[], next: (name: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...next(name));
  }
  return seen;
}

export function idOf(schema: unknown): string | undefined {
  const id = isJsonObject(schema) ? schema["$id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

function withId(schema: unknown, global: string): readonly (readonly [string, string])[] {
  const id = idOf(schema);
  return id === undefined ? [] : [[id, global]];
}

/** TypeBox compares only the paths of URIs. */
function lastSegment(id: string): string {
  return id.slice(Math.max(id.lastIndexOf("/"), id.lastIndexOf(":")) + 1);
}

function textOf(entries: unknown): string | undefined {
  try {
    return JSON.stringify(entries, (_key, value: unknown) =>
      value instanceof RegExp ? String(value) : value,
    );
  } catch {
    return undefined;
  }
}

const prefix = "#/definitions/";

/** The definition that a schema refers to, when the schema is a reference. */
export function referred(schema: JsonSchema, definitions: unknown): JsonSchema | undefined {
  const ref = schema["$ref"];
  if (typeof ref !== "string" || !ref.startsWith(prefix) || !isJsonObject(definitions)) return undefined;
  const target = definitions[ref.slice(prefix.length)];
  return isJsonObject(target) ? target : undefined;
}

/** The reference to a definition by its global name. */
export function refTo(name: string): string {
  return `${prefix}${name}`;
}

const none: JsonSchema = {};

/** The definitions of the schema that AJV is compiling. */
export function definitionsOf(context: SchemaObjCxt): JsonSchema {
  const root: unknown = context.schemaEnv.root.schema;
  const definitions = isJsonObject(root) ? root["definitions"] : undefined;
  return isJsonObject(definitions) ? definitions : none;
}
