import type { TypeNode } from "../syntax/node.js";
import { builtInType } from "../values/type.js";
import type { Type } from "../values/value.js";

/** @returns undefined for a type that neither FEEL nor the model defines */
export function resolveType(node: TypeNode, find: (name: string) => Type | undefined): Type | undefined {
  switch (node.kind) {
    case "named":
      return builtInType(node.name) ?? find(node.name);
    case "list":
    case "range": {
      const of = resolveType(node.of, find);
      return of === undefined ? undefined : { kind: node.kind, of };
    }
    case "context": {
      const entries = new Map<string, Type>();
      for (const { name, type } of node.entries) {
        const known = resolveType(type, find);
        if (known === undefined) return undefined;
        entries.set(name, known);
      }
      return { kind: "context", entries };
    }
    case "function": {
      const result = resolveType(node.result, find);
      const parameters = node.parameters.map((parameter) => resolveType(parameter, find));
      const known = parameters.filter((parameter) => parameter !== undefined);
      if (result === undefined || known.length < parameters.length) return undefined;
      return { kind: "function", parameters: known, result };
    }
  }
}
