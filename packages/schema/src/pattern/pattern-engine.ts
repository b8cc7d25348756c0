import type { Options } from "ajv";
import { linearPattern, type Pattern } from "./linear-pattern.js";

type RegExpEngine = NonNullable<NonNullable<Options["code"]>["regExp"]>;

/**
 * Runs the patterns of schemas. Those that only V8 can run were refused when the type was read, unless it was told to take
 * them.
 */
export const patternEngine: RegExpEngine = Object.assign(
  (source: string): Pattern => {
    try {
      return linearPattern(source);
    } catch (error) {
      // The stack ended: that says nothing about the pattern.
      if (error instanceof RangeError) throw error;
      return new RegExp(source, "u");
    }
  },
  // AJV wants it for code that is written to a file, which ours never is.
  { code: "" },
);
