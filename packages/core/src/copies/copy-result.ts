import type { Result } from "../program/result.js";
import { copyData } from "./copy-data.js";

/** Copies a result, so that whoever gets it may do what they like to it. Data that cannot be copied is there as a caller reads it: as JSON. */
export function copyResult<R extends Result>(result: R): R {
  return copyData(result, asJson);
}

/** What a caller is sent of a value that is no plain data; nothing of what JSON cannot carry. */
function asJson(value: object): unknown {
  try {
    // Bytes, errors, expressions. What has a JSON form of its own is sent in that form.
    if (!("toJSON" in value)) return structuredClone(value);
  } catch {
    // Has methods of its own, or is a proxy.
  }
  try {
    const text: unknown = JSON.stringify(value);
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
