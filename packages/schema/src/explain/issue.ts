import type { SchemaIssue } from "@decern/core/schema";

/** One failing place. */
export class Issue implements SchemaIssue {
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;

  constructor(pointer: string, message: string, keyword: string) {
    this.pointer = pointer;
    this.message = message;
    this.keyword = keyword;
  }

  /** Made when somebody asks for it: core reads the pointer. */
  get path(): readonly string[] {
    const [, ...tokens] = this.pointer.split("/");
    return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  }

  /** The same, found in a part of a value. */
  under(pointer: string): Issue {
    return pointer === "" ? this : new Issue(pointer + this.pointer, this.message, this.keyword);
  }
}
