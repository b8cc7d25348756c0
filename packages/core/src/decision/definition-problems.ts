import type { Problem } from "../base/errors.js";
import { escapePointer, isJsonObject } from "../base/json.js";
import { jsonProblems } from "../base/kinds.js";
import { isDecision, program, whyNoDecision } from "./decision.js";

/** Not `.` and `..`, which clients resolve before they send a path. */
const idPattern = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,100}$/;

const definitionKeys = new Set([
  "id",
  "version",
  "description",
  "meta",
  "inputSchema",
  "outputSchema",
  "profileSchema",
  "uses",
  "rules",
  "logic",
]);

const ruleKeys = new Set(["id", "description", "when", "emit", "explain"]);

/** Everything that is wrong with a definition; what JavaScript callers can get wrong included. */
export function definitionProblems(definition: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (path: string, message: string): void => void problems.push({ path, message });
  if (!isJsonObject(definition)) return [{ path: "", message: "is not an object" }];
  unknownKeys(definition, definitionKeys, "", report);

  const { id, version, description, meta, rules, logic } = definition;
  if (typeof id !== "string" || !idPattern.test(id))
    report("/id", "must be 1 to 100 of A-Z a-z 0-9 . _ ~ -, and not . or ..");
  if (typeof version !== "string" || version.trim() === "") report("/version", "must be a non-empty string");
  if (description !== undefined && typeof description !== "string")
    report("/description", "must be a string");
  if (meta !== undefined) checkMeta(meta, report);
  checkSchema(definition["inputSchema"], "/inputSchema", "input", report);
  checkSchema(definition["outputSchema"], "/outputSchema", "output", report);
  checkSchema(definition["profileSchema"], "/profileSchema", "input", report);
  checkUses(definition["uses"], report);
  if (logic === undefined) checkRules(rules, report);
  else if (rules === undefined) checkLogic(logic, report);
  else report("/logic", "contradicts rules: give one");
  return problems;
}

type Report = (path: string, message: string) => void;

function unknownKeys(object: object, known: ReadonlySet<string>, path: string, report: Report): void {
  for (const key of Object.keys(object)) {
    if (!known.has(key))
      report(`${path}/${escapePointer(key)}`, `is unknown; valid names are ${[...known].join(", ")}`);
  }
}

function checkMeta(meta: unknown, report: Report): void {
  if (!isJsonObject(meta)) return report("/meta", "must be an object");
  for (const { path, message } of jsonProblems(meta)) report(`/meta${path}`, message);
}

function checkSchema(schema: unknown, path: string, direction: "input" | "output", report: Report): void {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) {
    return report(
      path,
      "is missing; pass a schema that implements Standard Schema v1 and Standard JSON Schema v1",
    );
  }
  if (!("~standard" in schema)) {
    const bare = "~kind" in schema || "type" in schema || "anyOf" in schema;
    const advice = bare ? "; wrap a TypeBox type: typebox(type), from @decern/schema" : "";
    return report(path, `does not implement Standard Schema v1${advice}`);
  }
  const standard = schema["~standard"];
  if (!isJsonObject(standard) || standard["version"] !== 1 || typeof standard["validate"] !== "function") {
    return report(path, "does not implement version 1 of Standard Schema");
  }
  const converter = standard["jsonSchema"];
  const convert = isJsonObject(converter) ? converter[direction] : undefined;
  if (typeof convert !== "function") {
    const advice =
      typeof schema === "object" && "~kind" in schema ? "; wrap a TypeBox type: typebox(type)" : "";
    return report(path, `does not implement Standard JSON Schema v1 (Zod does from 4.2)${advice}`);
  }
  try {
    convert.call(converter, { target: "draft-07" });
  } catch (error) {
    report(path, error instanceof Error ? error.message : "has no JSON Schema");
  }
}

/** How many levels of decisions may use one another. */
const maxLevels = 16;

function checkUses(uses: unknown, report: Report): void {
  if (uses === undefined) return;
  if (!Array.isArray(uses)) return report("/uses", "must be a list of decisions");
  const seen = new Set<unknown>();
  for (const [index, used] of uses.entries()) {
    const path = `/uses/${index}`;
    if (!isDecision(used)) report(path, whyNoDecision(used));
    else if (seen.has(used)) report(path, `repeats "${used.id}"`);
    else if (used[program].levels >= maxLevels)
      report(path, `nests more than ${maxLevels} levels of used decisions`);
    seen.add(used);
  }
}

function checkRules(rules: unknown, report: Report): void {
  if (!Array.isArray(rules) || rules.length === 0) return report("/rules", "must have at least one rule");
  const seen = new Set<unknown>();
  for (const [index, rule] of rules.entries()) {
    const path = `/rules/${index}`;
    if (!isJsonObject(rule)) {
      report(path, "is not an object");
      continue;
    }
    unknownKeys(rule, ruleKeys, path, report);
    const { id, description, when, emit, explain } = rule;
    if (typeof id !== "string" || id.trim() === "") report(`${path}/id`, "must be a non-empty string");
    else if (seen.has(id)) report(`${path}/id`, `"${id}" is the id of an earlier rule`);
    seen.add(id);
    if (description !== undefined && typeof description !== "string")
      report(`${path}/description`, "must be a string");
    if (typeof when !== "function") report(`${path}/when`, "must be a function");
    if (typeof emit !== "function") report(`${path}/emit`, "must be a function");
    if (explain !== undefined && typeof explain !== "string" && typeof explain !== "function") {
      report(`${path}/explain`, "must be a string or a function");
    }
  }
}

/** Its document may be large, and is checked as JSON once. */
function checkLogic(logic: unknown, report: Report): void {
  if (!isJsonObject(logic)) return report("/logic", "must be an object");
  const { content, rules, bind, from } = logic;
  if (typeof bind !== "function") report("/logic/bind", "must be a function");
  if (from !== undefined && typeof from !== "function") report("/logic/from", "must be a function");
  if (!isJsonObject(content)) {
    report("/logic/content", "must be an object with hash, mediaType and document");
  } else {
    const { hash, mediaType, document } = content;
    if (typeof hash !== "string" || !/^sha256:[0-9a-f]{64}$/.test(hash))
      report("/logic/content/hash", "must be sha256: and 64 hexadecimal digits");
    if (typeof mediaType !== "string" || mediaType === "")
      report("/logic/content/mediaType", "must be a non-empty string");
    for (const { path, message } of jsonProblems(document)) report(`/logic/content/document${path}`, message);
  }
  if (!Array.isArray(rules)) return report("/logic/rules", "must be a list");
  const seen = new Set<unknown>();
  for (const [index, rule] of rules.entries()) {
    const path = `/logic/rules/${index}/id`;
    const id: unknown = isJsonObject(rule) ? rule["id"] : undefined;
    if (typeof id !== "string" || id.trim() === "") report(path, "must be a non-empty string");
    else if (seen.has(id)) report(path, `"${id}" is the id of an earlier rule`);
    seen.add(id);
  }
}
