import type { Options } from "ajv";
import { linearPattern, type Pattern } from "./linear-pattern.js";

type RegExpEngine = NonNullable<NonNullable<Options["code"]>["regExp"]>;

/**
 * Runs the patterns of schemas. Patterns that only V8 can run were refused when the type was read, unless the host allowed
 * them.
 */
export const patternEngine: RegExpEngine = Object.assign(
  (source: string): Pattern => {
    try {
      return linearPattern(source);
    } catch (error) {
      // A stack overflow says nothing about the pattern.
      if (error instanceof RangeError) throw error;
      return new RegExp(source, "u");
    }
  },
  // AJV reads it only for standalone code, which is never generated here.
  { code: "" },
);
