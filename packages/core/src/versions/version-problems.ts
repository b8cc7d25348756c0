import type { Problem } from "../errors.js";
import { type OptionKind, optionKinds } from "../options/option-kinds.js";
import { escapePointer } from "../program/validation.js";
import { isJsonObject } from "../schema/json-schema.js";
import type { Deprecation, VersionPolicy } from "./version-policy.js";

const { anything, callback, group, listOf, nonEmptyText } = optionKinds;

const instant: OptionKind = (value, path) =>
  Number.isFinite(toMs(value)) ? [] : [{ path, message: "must be a date, or a string such as 2027-01-31" }];

const uriReference: OptionKind = (value, path) =>
  typeof value === "string" && /^[!#-;=?-Z[\]_a-z~%]+$/.test(value)
    ? []
    : [{ path, message: "must be a URL without spaces or angle brackets" }];

const deprecation = group<Deprecation>({ since: instant, sunset: instant, link: uriReference }, ["since"]);

const policy = group<VersionPolicy>(
  { default: nonEmptyText, select: callback, deprecated: anything, retired: listOf(nonEmptyText) },
  ["default"],
);

/** Version policies by decision id. */
type Policies = Readonly<Record<string, VersionPolicy | undefined>>;

/** Whether the `versions` option has no problem. */
export function areVersions(versions: unknown, problems: readonly Problem[]): versions is Policies {
  return isJsonObject(versions) && problems.length === 0;
}

/**
 * Finds what is wrong with the `versions` option.
 *
 * @param served - the versions of each id, in the order given
 */
export function versionProblems(
  versions: unknown,
  served: ReadonlyMap<string, readonly string[]>,
): readonly Problem[] {
  if (versions !== undefined && !isJsonObject(versions))
    return [{ path: "/versions", message: "must be an object" }];
  const problems: Problem[] = [];
  const given = versions ?? {};
  for (const [id, list] of served) {
    if (list.length > 1 && (!Object.hasOwn(given, id) || given[id] === undefined)) {
      const message = `is required: "${id}" has the versions ${list.join(", ")}; name the default`;
      problems.push({ path: `/versions/${escapePointer(id)}`, message });
    }
  }
  for (const [id, value] of Object.entries(given)) {
    const path = `/versions/${escapePointer(id)}`;
    const list = served.get(id);
    if (list === undefined) problems.push({ path, message: "does not belong to any decision" });
    else if (value !== undefined) problems.push(...policyProblems(value, path, list));
  }
  return problems;
}

function policyProblems(value: unknown, path: string, served: readonly string[]): readonly Problem[] {
  const problems = [...policy(value, path)];
  if (!isJsonObject(value)) return problems;
  const { default: standard, deprecated, retired } = value;
  const gone: readonly unknown[] = Array.isArray(retired) ? retired : [];
  const known = `known are ${served.join(", ")}`;
  if (typeof standard === "string" && !served.includes(standard))
    problems.push({
      path: `${path}/default`,
      message: `"${standard}" is not a version of this decision; ${known}`,
    });
  if (gone.includes(standard)) problems.push({ path: `${path}/default`, message: "is retired" });
  for (const version of served) {
    // Clients resolve them before they send.
    if (version === "." || version === "..")
      problems.push({ path, message: `version "${version}" cannot be part of a URL path` });
  }
  if (deprecated === undefined) return problems;
  if (!isJsonObject(deprecated))
    return [...problems, { path: `${path}/deprecated`, message: "must be an object" }];
  for (const [version, notice] of Object.entries(deprecated)) {
    const place = `${path}/deprecated/${escapePointer(version)}`;
    if (!served.includes(version))
      problems.push({ path: place, message: `is not a version of this decision; ${known}` });
    else if (gone.includes(version)) problems.push({ path: place, message: "is retired" });
    const wrong = deprecation(notice, place);
    problems.push(...wrong);
    if (wrong.length === 0 && endsEarly(notice))
      problems.push({ path: `${place}/sunset`, message: "must not be earlier than since" });
  }
  return problems;
}

/** RFC 9745 does not allow that. */
function endsEarly(notice: unknown): boolean {
  if (!isJsonObject(notice)) return false;
  const [since, sunset] = [toMs(notice["since"]), toMs(notice["sunset"])];
  return sunset < since;
}

/** @returns `NaN` for what is no date */
function toMs(date: unknown): number {
  return date instanceof Date || typeof date === "string" ? new Date(date).getTime() : Number.NaN;
}
