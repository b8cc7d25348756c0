import { isJsonObject, type JsonSchema } from "@decern/core";

/** Names that a `$ref` may use at its place, and what they are called in the whole. */
export interface Scope {
  readonly names: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
}

interface Edge {
  readonly from: string | undefined;
  readonly to: string;
  /** No step into the value lies between. */
  readonly here: boolean;
  /** The definition is only tested there. */
  readonly test: boolean;
}

/** Gathers the definitions of a type at its root, where every dialect can refer to them. */
export class Definitions {
  readonly schemas = new Map<string, JsonSchema>();
  readonly #edges: Edge[] = [];
  readonly #scopes = new Map<string, Scope>();
  readonly #taken = new Set<string>();

  /**
   * Opens a scope.
   *
   * @returns the scope, and the definitions that have to be read; none, when an equal scope was read before
   */
  open(
    entries: readonly (readonly [string, unknown])[],
    outer: Scope | undefined,
  ): { readonly scope: Scope; readonly unread: readonly (readonly [string, unknown])[] } {
    const text = outer === undefined ? textOf(entries) : undefined;
    const known = text === undefined ? undefined : this.#scopes.get(text);
    if (known !== undefined) return { scope: known, unread: [] };
    const names = new Map(entries.map(([name]) => [name, this.#allocate(name)]));
    const scope = { names, outer };
    if (text !== undefined) this.#scopes.set(text, scope);
    return { scope, unread: entries.map(([name, schema]) => [names.get(name) ?? name, schema]) };
  }

  /** The global name of what a `$ref` means; nothing when it is defined nowhere. */
  resolve(ref: string, scope: Scope | undefined): string | undefined {
    const local = ref.replace(/^#\/(?:\$defs|definitions)\//, "");
    for (let at = scope; at !== undefined; at = at.outer) {
      const name = at.names.get(local);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  link(edge: Edge): void {
    this.#edges.push(edge);
  }

  /** Definitions that need themselves before a step into the value is made: validating one would never end. */
  endless(): readonly string[] {
    const next = (name: string): string[] =>
      this.#edges.filter(({ from, here }) => here && from === name).map(({ to }) => to);
    return [...this.schemas.keys()].filter((name) => reachable(next(name), next).has(name));
  }

  /** Definitions that some union, or another test, tries on a value. */
  tested(): ReadonlySet<string> {
    const start = this.#edges.filter(({ test }) => test).map(({ to }) => to);
    return reachable(start, (name) => this.#edges.filter(({ from }) => from === name).map(({ to }) => to));
  }

  /** OpenAPI allows only these characters in the names of components. */
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

/** The definition that a schema consists of, when it is nothing but a reference. */
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
