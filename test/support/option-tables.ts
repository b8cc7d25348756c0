import { readdirSync } from "node:fs";
import { join } from "node:path";
// The API of the compiler, which TypeScript 7 doesn't have.
import ts from "typescript5.9";

/** The options that a type of a package declares: its own, those of what it extends, and those of rows that it is derived from. */
interface DocumentedOption {
  readonly name: string;
  readonly isRequired: boolean;
  /** The first paragraph of its TSDoc, without the last full stop. */
  readonly meaning: string;
  /** Its `@default`. */
  readonly fallback: string | undefined;
  readonly declaration: ts.Declaration;
}

/** Where a table is in a README: `<!-- options: TypeName -->`, the table, `<!-- end of options -->`. */
const tablePattern =
  /(?<=<!-- options: (\w+) -->\n\n)(\|.*\|\n\|.*\|\n)(?:\|.*\|\n)*(?=\n<!-- end of options -->)/g;

/** Writes tables of options from their declarations. */
export class OptionTables {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  /** @param folders - of packages */
  constructor(folders: readonly string[]) {
    this.#program = ts.createProgram(folders.flatMap(entriesOf), {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      customConditions: ["@decern/source"],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
    });
    this.#checker = this.#program.getTypeChecker();
  }

  /** The README of a package, with the rows that its tables must have. */
  rewrite(folder: string, readme: string): string {
    const known = new Set<ts.Declaration>();
    return readme.replaceAll(tablePattern, (_table, name: string, head: string) => {
      const options = this.options(folder, name);
      const repeated = options.filter(({ declaration }) => known.has(declaration));
      const own = options.filter(({ declaration }) => !known.has(declaration));
      for (const { declaration } of own) known.add(declaration);
      const names = repeated.map(({ name }) => `\`${name}\``).join(", ");
      return [head, names === "" ? "" : `| ${names} | | as above |\n`, ...own.map(rowOf)].join("");
    });
  }

  /** Those that must be given first, then those of what the type extends, otherwise in the order of their declarations. */
  options(folder: string, name: string): readonly DocumentedOption[] {
    const type = this.#typeOf(folder, name);
    // Of a union, an option can be documented in one member and forbidden in the others.
    const members = type.isUnion() ? type.types : [type];
    const byName = new Map<string, ts.Symbol[]>();
    for (const property of members.flatMap((member) => this.#checker.getPropertiesOfType(member))) {
      byName.set(property.name, [...(byName.get(property.name) ?? []), property]);
    }
    const options = [...byName.values()].flatMap((properties) =>
      this.#documented(properties, members.length),
    );
    const rank = ({ isRequired, declaration }: DocumentedOption): number =>
      isRequired ? 0 : declaration.parent === type.symbol?.declarations?.[0] ? 2 : 1;
    return options.toSorted((a, b) => rank(a) - rank(b));
  }

  #typeOf(folder: string, name: string): ts.Type {
    for (const entry of entriesOf(folder)) {
      const file = this.#program.getSourceFile(entry);
      const module = file === undefined ? undefined : this.#checker.getSymbolAtLocation(file);
      const exported = module === undefined ? [] : this.#checker.getExportsOfModule(module);
      const found = exported.find((symbol) => symbol.name === name);
      if (found === undefined) continue;
      const isAlias = (found.flags & ts.SymbolFlags.Alias) !== 0;
      return this.#checker.getDeclaredTypeOfSymbol(isAlias ? this.#checker.getAliasedSymbol(found) : found);
    }
    throw new Error(`${folder} exports no ${name}`);
  }

  #documented(properties: readonly ts.Symbol[], members: number): DocumentedOption {
    const property = properties.find((each) => this.#textOf(each) !== "") ?? properties[0];
    const declaration = property?.declarations?.[0];
    if (property === undefined || declaration === undefined)
      throw new Error(`${properties[0]?.name} has no declaration: a mapping that isn't homomorphic loses it`);
    const isOptional = properties.some(({ flags }) => (flags & ts.SymbolFlags.Optional) !== 0);
    const [paragraph = ""] = this.#textOf(property).split(/\n\s*\n/);
    const tag = property.getJsDocTags(this.#checker).find(({ name }) => name === "default");
    return {
      name: property.name,
      isRequired: !isOptional && properties.length === members,
      meaning: withoutUnit(property.name, lineOf(paragraph).replace(/\.$/, "")),
      fallback: tag === undefined ? undefined : lineOf(ts.displayPartsToString(tag.text)),
      declaration,
    };
  }

  #textOf(property: ts.Symbol): string {
    return ts.displayPartsToString(property.getDocumentationComment(this.#checker));
  }
}

/** What is wrong with the `@default` of an option whose row has a literal as its default. */
export function defaultProblem({ name, fallback, declaration }: DocumentedOption): string | undefined {
  if (!ts.isPropertyAssignment(declaration) || !ts.isCallExpression(declaration.initializer))
    return undefined;
  const { expression, arguments: given } = declaration.initializer;
  const literal = given[1];
  if (expression.getText() !== "option" || literal === undefined) return undefined;
  if (fallback === undefined) return `${name} has a default, and no @default`;
  const isLiteral =
    ts.isStringLiteral(literal) ||
    ts.isNumericLiteral(literal) ||
    literal.kind === ts.SyntaxKind.TrueKeyword ||
    literal.kind === ts.SyntaxKind.FalseKeyword;
  const text = literal.getText().replaceAll("_", "");
  return isLiteral && fallback !== text
    ? `${name} has the default ${text}, and @default ${fallback}`
    : undefined;
}

/** The public modules of a package. */
function entriesOf(folder: string): readonly string[] {
  const source = join(folder, "src");
  return readdirSync(source)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(source, name));
}

/** In a table, the name is unit enough. */
function withoutUnit(name: string, meaning: string): string {
  return name.endsWith("Ms") ? meaning.replace(", in milliseconds", "") : meaning;
}

function lineOf(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function rowOf({ name, isRequired, fallback, meaning }: DocumentedOption): string {
  const cells = [`\`${name}\``, isRequired ? "required" : defaultCell(fallback ?? ""), meaning];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`.replaceAll("|  |", "| |");
}

/** A literal is code; anything else is text. */
function defaultCell(fallback: string): string {
  return /^(?:".*"|[\d.]+|true|false)$/.test(fallback) ? `\`${fallback}\`` : fallback;
}
