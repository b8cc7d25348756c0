import { DecernError, type Decision, type Problem } from "@decern/core";
import { hasForbiddenKey } from "@decern/core/host";
import { type Kind, kinds } from "@decern/core/options";
import { escapePointer } from "@decern/core/schema";
import { type Convert, conversionTo, MemberSchema } from "./values.js";

/** The names on the way to a column's member. */
function segmentsOf(column: string): readonly string[] {
  return column.split(".");
}

const columnName: Kind<string> = (value, path) => {
  if (typeof value !== "string") return kinds.text(value, path);
  const segments = segmentsOf(value);
  // Assigning to it would set the prototype instead of a member.
  return segments.includes("") || segments.includes("__proto__")
    ? [{ path, message: "must name a property of the input, such as amount or applicant.score" }]
    : [];
};

const columnList = kinds.listOf(columnName, { nonEmpty: true });

/** The `columns` option: no column twice, and none inside another. */
export const columnsKind: Kind<readonly never[]> = (value, path) => {
  const problems = columnList(value, path);
  if (problems.length > 0 || !Array.isArray(value)) return problems;
  const names: readonly string[] = value;
  return names.flatMap((name, index) => {
    const place = `${path}/${escapePointer(String(index))}`;
    if (names.indexOf(name) < index) return [{ path: place, message: `is ${name} again` }];
    const outer = names.find((other) => name.startsWith(`${other}.`));
    return outer === undefined ? [] : [{ path: place, message: `is inside ${outer}, which is a column too` }];
  });
};

type Row = readonly unknown[];

/** A member that a column gives. */
interface Leaf {
  readonly name: string;
  /** Of the argument. */
  readonly index: number;
  readonly convert: Convert;
  readonly takesNull: boolean;
  readonly members: undefined;
}

/** An object that is put together from several columns. */
interface Branch {
  readonly name: string;
  /** Whether it is there, and empty, when all its columns are NULL. */
  readonly isRequired: boolean;
  readonly members: (Leaf | Branch)[];
}

/** Puts the arguments of one row together to the input of a decision. */
export class ColumnPlan {
  /** Columns that the decision's input does not have. Where there are any, the plan is not to be used. */
  readonly problems: readonly Problem[];
  readonly #columns: readonly string[];
  readonly #roundsIntegers: boolean;
  readonly #root: Branch = { name: "", isRequired: true, members: [] };

  /**
   * @param columns - checked by `columnsKind`
   * @param roundsIntegers - whether numbers beyond 2^53 have been rounded
   */
  constructor(decision: Decision, columns: readonly string[], roundsIntegers: boolean) {
    this.#columns = columns;
    this.#roundsIntegers = roundsIntegers;
    const input = MemberSchema.ofInput(decision);
    this.problems = columns.flatMap((column, index) => this.#add(input, column, index));
  }

  get names(): readonly string[] {
    return this.#columns;
  }

  /**
   * Makes the input. SQL knows no absent member: a NULL is `null` where the schema says that it may be, else the member is
   * absent.
   *
   * @param offset - how many values of the row precede its arguments
   * @param isSuspicious - whether the row may have a forbidden key
   * @throws DecernError `FORBIDDEN_KEY`
   */
  toInput(row: Row, offset: number, isSuspicious: boolean): unknown {
    if (isSuspicious && hasForbiddenKey(row)) throw new DecernError("FORBIDDEN_KEY");
    return build(this.#root, row, offset);
  }

  #add(input: MemberSchema, column: string, index: number): readonly Problem[] {
    const segments = segmentsOf(column);
    let schema = input;
    let branch = this.#root;
    for (const [depth, name] of segments.entries()) {
      const member = schema.member(name);
      if (member === undefined) {
        const known = `it has ${schema.names.join(", ")}`;
        return [{ path: `/columns/${index}`, message: `"${name}" is not in the decision's input; ${known}` }];
      }
      schema = member;
      if (depth === segments.length - 1) {
        const { types } = schema;
        const takesNull = types?.has("null") === true;
        branch.members.push({
          name,
          index,
          convert: conversionTo(types, this.#roundsIntegers),
          takesNull,
          members: undefined,
        });
      } else {
        branch = branchOf(branch, name, schema.isRequired);
      }
    }
    return [];
  }
}

function branchOf(parent: Branch, name: string, isRequired: boolean): Branch {
  for (const member of parent.members) {
    if (member.name === name && member.members !== undefined) return member;
  }
  const branch: Branch = { name, isRequired, members: [] };
  parent.members.push(branch);
  return branch;
}

function build({ members, isRequired }: Branch, row: Row, offset: number): unknown {
  const object: Record<string, unknown> = {};
  let isEmpty = !isRequired;
  for (const member of members) {
    const value =
      member.members === undefined
        ? argumentOf(member, row[member.index + offset])
        : build(member, row, offset);
    if (value === undefined) continue;
    object[member.name] = value;
    isEmpty = false;
  }
  return isEmpty ? undefined : object;
}

function argumentOf({ convert, takesNull }: Leaf, value: unknown): unknown {
  if (value === null) return takesNull ? null : undefined;
  return convert(value);
}

/** What a column gives as a whole. */
type Whole = string | number | boolean | bigint | symbol | null | undefined | Date | readonly unknown[];

/** Paths deeper than this are not checked by TypeScript: a recursive type has no end. */
type MaxDepth = 4;

type PathsOf<T, Depth extends readonly unknown[] = []> = T extends Whole
  ? never
  : T extends object
    ? {
        [Key in keyof T & string]-?:
          | Key
          | `${Key}.${Depth["length"] extends MaxDepth ? string : PathsOf<T[Key], [...Depth, unknown]>}`;
      }[keyof T & string]
    : never;

/** A member of an input, such as `amount`, or one further inside, such as `applicant.score`. Any text where the input's type is `unknown`. */
export type ColumnOf<Input> = unknown extends Input ? string : PathsOf<Input>;
