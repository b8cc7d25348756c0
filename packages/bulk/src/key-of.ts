import { isJsonObject } from "@decern/core/schema";
import type { OptionKind } from "@decern/core/tools";

/** A JSON Pointer (RFC 6901) to something in the input. */
export const keyKind: OptionKind = (value, path) =>
  typeof value === "string" && /^(\/([^~/]|~[01])*)+$/.test(value)
    ? []
    : [{ path, message: "must be a JSON Pointer into the input, such as /applicant/id" }];

/** Reads the key of an input: `undefined` where it has none. It never throws. */
export function keyReader(pointer: string): (input: unknown) => unknown {
  const tokens = pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  return (input) => {
    let value = input;
    for (const token of tokens) {
      if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
      else value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
    }
    return value;
  };
}
