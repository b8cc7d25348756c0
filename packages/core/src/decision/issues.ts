import { escapePointer, isJsonObject } from "../base/json.js";
import type { SchemaIssue } from "./ports.js";
import type { ValidationIssue } from "./result.js";

/** More would not help, and a hostile input could ask for millions. */
const maxIssues = 20;

/** Names in a path may be the caller's. Beyond, it ends where it still fits: otherwise 20 issues repeat a body 40 times. */
const maxPath = 300;

/** Turns a vendor's issues into ours: pointers, readable messages, and never the value that was sent. */
export function toValidationIssues(
  issues: readonly SchemaIssue[],
  value: unknown,
): readonly ValidationIssue[] {
  const list: ValidationIssue[] = [];
  for (const issue of issues) {
    if (list.length === maxIssues) break;
    const path = issue.pointer ?? toPointer(issue.path);
    const isShown = path.length <= maxPath;
    // A vendor that gives keywords is written for this port, and keeps values out of its messages.
    const message =
      issue.pointer === undefined ? (listMessage(issue) ?? vendorMessage(issue, value)) : issue.message;
    list.push({
      path: isShown ? path : path.slice(0, path.lastIndexOf("/", maxPath)),
      message: isShown ? message : "has a part that is not valid",
      keyword: keywordOf(issue),
    });
  }
  return list;
}

/** The failing fields and what is wrong with each. @param whole - what to call the value itself */
export function listOf(issues: readonly ValidationIssue[], whole: string): string {
  let text = "";
  for (const { path, message } of issues) {
    if (text !== "") text += "; ";
    text += `${path === "" ? whole : path}${predicateOf(message)}`;
  }
  return text;
}

/** What Zod puts before every message, and the summary has said already. */
const zodPrefix = "Invalid input: ";

const lowerA = 0x61;
const lowerZ = 0x7a;

/** Our messages continue the field's name ("must be an integer"); other vendors write sentences. */
function predicateOf(message: string): string {
  const code = message.charCodeAt(0);
  if (code >= lowerA && code <= lowerZ) return ` ${message}`;
  const first = message.charAt(0);
  const rest = message.startsWith(zodPrefix) ? message.slice(zodPrefix.length) : message;
  return first === first.toLowerCase() ? ` ${rest}` : `: ${rest}`;
}

function toPointer(path: SchemaIssue["path"]): string {
  let pointer = "";
  for (const segment of path ?? []) {
    const key = typeof segment === "object" ? segment.key : segment;
    pointer += `/${escapePointer(String(key))}`;
  }
  return pointer;
}

function keywordOf(issue: SchemaIssue): string {
  if (issue.keyword !== undefined) return issue.keyword;
  // Zod and ArkType name their constraint `code`.
  return "code" in issue && typeof issue.code === "string" ? issue.code : "invalid";
}

/** What Zod says of a union of literals is in its branches. */
function listMessage(issue: SchemaIssue): string | undefined {
  const branches: unknown = Reflect.get(issue, "errors");
  if (!Array.isArray(branches)) return undefined;
  const values = branches.flatMap((branch: unknown): readonly unknown[] => {
    const [only, ...others] = Array.isArray(branch) ? branch : [];
    if (!isJsonObject(only) || others.length > 0) return [undefined];
    const { path, values } = only;
    return Array.isArray(path) && path.length === 0 && Array.isArray(values) ? values : [undefined];
  });
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return `must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
}

/** Said of a value when what its vendor says may repeat it. */
const neutral = "is not valid";

/** A longer message is somebody's value, most likely, and searching it would cost too much. */
const maxMessageLength = 2000;

/** Most values that are compared with one message. Where there are more, nothing is known of it. */
const maxValues = 1000;

/** Long enough that a message does not have it by chance: a vendor may show the beginning or the end of a text only. */
const fragmentLength = 8;

/** What vendors put before what they were given: "…, received x", "… but received x", "… (was x)". */
const quoting = /(?:[,:;]\s*|\sbut\s+|\()(?:received|actual|got|was)\b([\s\S]*)$/i;

/** A kind of value, and no value. */
const kindOfValue = /^\s(?:string|number|boolean|object|array|undefined)$/i;

/** Where vendors keep what the schema asks for: what a message repeats of it comes from the schema. */
const schemaDetails = [
  "expected",
  "values",
  "minimum",
  "maximum",
  "divisor",
  "requirement",
  "format",
] as const;

const wordCharacter = /[\p{L}\p{N}_]/u;

/**
 * The message of a schema that was not written for this port, without the value that it is about. Vendors quote values in
 * ways of their own. What announces a quotation is cut off; a message that still has something in it that reads as the
 * value, and that the schema did not say, is replaced.
 *
 * @param root - what was validated
 */
function vendorMessage(issue: SchemaIssue, root: unknown): string {
  const { message } = issue;
  if (message.length > maxMessageLength) return neutral;
  const { value, dotted } = follow(issue, root);
  // ArkType begins with the path, which is named next to the message already.
  const unnamed =
    dotted !== "" && message.startsWith(`${dotted} `) ? message.slice(dotted.length + 1) : message;
  // What a vendor says that it looked at may be the value after a transformation. ArkType has other objects there.
  const lookedAt = [Reflect.get(issue, "input"), Reflect.get(issue, "data")];
  const given = primitivesIn([value, ...lookedAt.filter((one) => typeof one !== "object")]);
  if (given === undefined) return neutral;
  const details = schemaDetails.map((name) => textOf(Reflect.get(issue, name)));
  const isSafe = (text: string): boolean => text !== "" && given.every((one) => !repeats(text, one, details));
  const unquoted = withoutQuotation(unnamed);
  if (isSafe(unquoted)) return unquoted;
  // A value that reads like the name of a kind: "expected number, received string".
  const [shortest = ""] = unquoted.split(quoting, 1);
  return isSafe(shortest.trimEnd()) ? shortest.trimEnd() : neutral;
}

function withoutQuotation(message: string): string {
  const match = quoting.exec(message);
  if (match === null || kindOfValue.test(match[1] ?? "")) return message;
  return message.slice(0, match.index).trimEnd();
}

/** Finds the value that an issue is about. */
function follow(issue: SchemaIssue, root: unknown): { readonly value: unknown; readonly dotted: string } {
  let value = root;
  let dotted = "";
  for (const segment of issue.path ?? []) {
    const key = typeof segment === "object" ? segment.key : segment;
    dotted += dotted === "" ? String(key) : `.${String(key)}`;
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }
  return { value, dotted };
}

/** Every text, number, boolean and `null` in values; nothing when there are too many. */
function primitivesIn(values: readonly unknown[]): readonly unknown[] | undefined {
  const waiting = [...values];
  const found = new Set<unknown>();
  for (let index = 0; index < waiting.length; index += 1) {
    if (waiting.length > maxValues) return undefined;
    const value = waiting[index];
    if (typeof value === "object" && value !== null) waiting.push(...Object.values(value));
    else if (value !== undefined && typeof value !== "function" && typeof value !== "symbol")
      found.add(value);
  }
  return [...found];
}

/** Tells whether a message has a value more often than any detail of the schema has it. */
function repeats(message: string, value: unknown, details: readonly string[]): boolean {
  const times = occurrences(message, value);
  return times > 0 && details.every((detail) => occurrences(detail, value) < times);
}

function occurrences(text: string, value: unknown): number {
  if (typeof value !== "string") {
    const written = tokenCount(text, String(value));
    return typeof value === "boolean" || value === null
      ? written
      : Math.max(written, numberCount(text, Number(value)));
  }
  const parts = fragmentsOf(value)
    .flatMap(writings)
    .filter((fragment) => text.toLowerCase().includes(fragment.toLowerCase())).length;
  if (value.length > text.length) return parts;
  const trimmed = value.trim();
  const numeric = trimmed === "" ? 0 : numberCount(text, Number(trimmed));
  const whole = [value, trimmed].flatMap(writings).map((writing) => tokenCount(text, writing));
  return Math.max(parts, numeric, ...whole);
}

function fragmentsOf(value: string): readonly string[] {
  if (value.length < fragmentLength) return [];
  return [value.slice(0, fragmentLength), value.slice(-fragmentLength)];
}

/** A text as it is, and as it stands between quotation marks. */
function writings(text: string): readonly string[] {
  return [text, JSON.stringify(text).slice(1, -1)];
}

/** How often a text stands in another by itself, and not as a part of a word. */
function tokenCount(text: string, token: string): number {
  if (token === "") return 0;
  const within = text.toLowerCase();
  const wanted = token.toLowerCase();
  const startsWord = wordCharacter.test(wanted.charAt(0));
  const endsWord = wordCharacter.test(wanted.charAt(wanted.length - 1));
  let count = 0;
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
    const joinedBefore = startsWord && wordCharacter.test(within.charAt(at - 1));
    const joinedAfter = endsWord && wordCharacter.test(within.charAt(at + wanted.length));
    if (!joinedBefore && !joinedAfter) count += 1;
  }
  return count;
}

/** How often a number stands in a text, however it is written: `1000`, `1,000`, `1e3`. */
function numberCount(text: string, number: number): number {
  const written = [
    ...(text.match(/(?<![\p{L}\p{N}_])\d+(?:\.\d+)?(?:e[+-]?\d+)?/giu) ?? []),
    ...(text.match(/(?<![\p{L}\p{N}_])\d{1,3}(?:[,_ ]\d{3})+(?:\.\d+)?/gu) ?? []),
  ];
  return written.filter((one) => Number(one.replaceAll(/[,_ ]/g, "")) === Math.abs(number)).length;
}

function textOf(detail: unknown): string {
  // Valibot says `expected: null` where it expects nothing in particular.
  if (detail === null) return "";
  if (typeof detail === "string") return detail.slice(0, maxMessageLength);
  try {
    return (JSON.stringify(detail) ?? "").slice(0, maxMessageLength);
  } catch {
    // A bigint, or what refers to itself: it explains nothing, and the message is replaced.
    return "";
  }
}
