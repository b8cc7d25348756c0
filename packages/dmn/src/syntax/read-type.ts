import type { SyntaxNode } from "@lezer/common";
import { canonicalName } from "../values/text.js";
import type { TypeNode } from "./node.js";
import { FeelSyntaxError } from "./node.js";

/** The text of a tree. */
export interface Source {
  readonly source: string;
  /** Where a `list` of the tree is a `range` of the text. */
  readonly ranges: ReadonlySet<number>;
}

export function readType(node: SyntaxNode, source: Source): TypeNode {
  const [inner] = childrenOf(node);
  if (inner === undefined) throw new FeelSyntaxError("a type is missing", node.from);
  switch (inner.name) {
    case "ListType": {
      const of = typeIn(inner, source);
      return { kind: source.ranges.has(inner.from) ? "range" : "list", of };
    }
    case "ContextType":
      return {
        kind: "context",
        entries:
          inner
            .getChild("ContextEntryTypes")
            ?.getChildren("ContextEntryType")
            .map((entry) => ({ name: nameIn(entry, "Name", source), type: typeIn(entry, source) })) ?? [],
      };
    case "FunctionType":
      return {
        kind: "function",
        parameters:
          inner
            .getChild("ArgumentTypes")
            ?.getChildren("ArgumentType")
            .map((argument) => typeIn(argument, source)) ?? [],
        result: typeIn(inner, source),
      };
    default:
      return { kind: "named", name: canonicalName(textOf(inner, source)) };
  }
}

function typeIn(node: SyntaxNode, source: Source): TypeNode {
  const type = node.getChild("Type");
  if (type === null) throw new FeelSyntaxError("a type is missing", node.from);
  return readType(type, source);
}

export function nameIn(node: SyntaxNode, child: string, source: Source): string {
  const name = node.getChild(child);
  if (name === null) throw new FeelSyntaxError("a name is missing", node.from);
  return canonicalName(textOf(name, source));
}

/** Without comments. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "LineComment" && child.name !== "BlockComment") children.push(child);
  }
  return children;
}

export function textOf(node: SyntaxNode, { source }: Source): string {
  return source.slice(node.from, node.to);
}
