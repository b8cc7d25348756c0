import { type Node, type Program, parseSync, visitorKeys } from "oxc-parser";
import { CommandError } from "../command-line/command.js";

/** What rules must not do. */
export type Kind = "clock" | "random" | "io" | "mutation" | "async";

/** A parsed source. */
export interface SourceFile {
  /** As the user would name it. */
  readonly name: string;
  /** The paths of relative imports, by what is written. */
  readonly imports: ReadonlyMap<string, string>;
  readonly program: Program;
  /** Line and column of an offset, from 1. */
  placeOf(offset: number): { readonly line: number; readonly column: number };
  /** Whether a comment on a line, or on the line before, allows a finding: `// decern-lint-ignore clock: why`. */
  isAllowed(kind: Kind, line: number): boolean;
}

const directive = /^\s*decern-lint-ignore\s+([a-z]+):\s*\S/;

/** @throws CommandError for a text that is not JavaScript or TypeScript */
export function parseSource(name: string, text: string, imports: SourceFile["imports"]): SourceFile {
  const { program, comments, errors } = parseSync(name, text, { preserveParens: false });
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const placeOf = (offset: number) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
  const [error] = errors;
  if (error !== undefined) {
    const { line } = placeOf(error.labels[0]?.start ?? 0);
    throw new CommandError(`${name}, line ${line}: ${error.message}`);
  }
  const allowed = new Set(
    comments.flatMap(({ value, end }) => {
      const kind = directive.exec(value)?.[1];
      return kind === undefined ? [] : [`${kind} ${placeOf(end).line}`];
    }),
  );
  const isAllowed = (kind: Kind, line: number) =>
    allowed.has(`${kind} ${line}`) || allowed.has(`${kind} ${line - 1}`);
  return { name, imports, program, placeOf, isAllowed };
}

/** What a module imports and exports again by a relative path, and what it imports while it runs. */
export function relativeImports(program: Program): readonly string[] {
  return program.body.flatMap((statement) => {
    const source = "source" in statement ? statement.source?.value : undefined;
    return source?.startsWith(".") === true ? [source] : [];
  });
}

/** The nodes directly inside a node, in the order of the text. */
export function childrenOf(node: Node): readonly Node[] {
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const value: unknown = Reflect.get(node, key);
    // The parser's keys are those of the members that are nodes, lists of nodes with holes, or null.
    const nodes = (Array.isArray(value) ? value : [value]) as readonly (Node | null | undefined)[];
    return nodes.filter((child) => child !== null && child !== undefined);
  });
}
