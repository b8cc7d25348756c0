import type { Result } from "./result.js";

/**
 * Writes what an envelope decides, and leaves out how it came about.
 *
 * @throws TypeError when the output has no JSON form, and what its `toJSON` throws
 */
export function compactText(result: Result): string {
  switch (result.status) {
    case "OK": {
      const data: string | undefined = JSON.stringify(result.data);
      // Nobody is told a success without what was decided.
      if (data === undefined) throw new TypeError("the output has no JSON form");
      return `{"status":"OK","data":${data},"matchedRule":${JSON.stringify(result.meta.matchedRule)}}`;
    }
    case "NO_MATCH":
      return '{"status":"NO_MATCH"}';
    default: {
      const { status, errors } = result;
      return JSON.stringify({ status, errors });
    }
  }
}
