import type { SchemaIssue } from "@decern/core/schema";

/** One place in a value that does not match the schema. */
export class Issue implements SchemaIssue {
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;

  constructor(pointer: string, message: string, keyword: string) {
    this.pointer = pointer;
    this.message = message;
    this.keyword = keyword;
  }

  /** Computed on demand, because core reads `pointer` instead. */
  get path(): readonly string[] {
    const [, ...tokens] = this.pointer.split("/");
    return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  }

  /** The same issue, for a value that contains the failing one at `pointer`. */
  under(pointer: string): Issue {
    return pointer === "" ? this : new Issue(pointer + this.pointer, this.message, this.keyword);
  }
}
