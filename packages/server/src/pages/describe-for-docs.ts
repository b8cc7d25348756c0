import {
  type Decision,
  describeDecision,
  extractDecisionSchema,
  type JsonSchema,
  toJsonSchema,
} from "@decern/core";
import type { Served } from "@decern/core/host";
import { isJsonObject, mapSubschemas } from "@decern/core/schema";
import { program } from "@decern/core/tools";
import type {
  DocsContent,
  DocsDecision,
  DocsDeprecation,
  DocsField,
  DocsFields,
  DocsListEntry,
  DocsNamedProfile,
  DocsRevision,
  DocsVersion,
} from "@decern/pages";
import type { Generation } from "../base/values.js";

/** The names of all properties in some schemas, however deep, each once. */
function fieldNames(schemas: readonly JsonSchema[]): readonly DocsField[] {
  const found = new Map<string, DocsField>();
  const visit = (schema: JsonSchema): JsonSchema => {
    const { properties } = schema;
    for (const [name, property] of isJsonObject(properties) ? Object.entries(properties) : []) {
      const title = isJsonObject(property) ? property["title"] : undefined;
      if (found.get(name)?.title !== undefined) continue;
      found.set(name, { name, ...(typeof title === "string" && title !== name ? { title } : {}) });
    }
    mapSubschemas(schema, visit);
    return schema;
  };
  schemas.forEach(visit);
  return [...found.values()];
}

/** A decision as the page's list shows it. */
export function listForDocs(served: Served): DocsListEntry {
  const { decision } = served.standard;
  const { meta = {}, ...entry } = describeDecision(decision);
  const { content } = decision[program];
  const { owner, tags } = meta;
  return {
    ...entry,
    ...(typeof owner === "string" ? { owner } : {}),
    ...(isListOfTexts(tags) && tags.length > 0 ? { tags } : {}),
    ruleIds: decision.ruleIds,
    ...(content === undefined ? {} : { mediaType: content.mediaType }),
    ...(served.versions.size > 1 ? { versions: versionsOf(served) } : {}),
    ...(served.isFixed ? {} : { selects: true }),
  };
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The fields of every decision's default version. Yields after each decision, because reading a schema takes a while. */
export function* fieldsForDocs(decisions: Iterable<Served>): Generator<void, DocsFields> {
  const fields: [id: string, fields: readonly DocsField[]][] = [];
  for (const { standard } of decisions) {
    const { inputSchema, outputSchema, profileSchema } = extractDecisionSchema(standard.decision);
    fields.push([standard.decision.id, fieldNames([inputSchema, outputSchema, profileSchema])]);
    yield;
  }
  return Object.fromEntries(fields);
}

/** One version of a decision with everything that the page shows. */
export function describeForDocs(
  served: Served,
  { decision }: Served["standard"],
  { profiles, revisions }: Pick<Generation, "profiles" | "revisions">,
): DocsDecision {
  const { content } = decision[program];
  return {
    ...describeVersion(decision),
    versions: versionsOf(served),
    ...(revisions.decisions === undefined ? {} : { loaded: revisionOf(revisions.decisions) }),
    uses: decision.uses.map(({ id, version }) => ({ id, version })),
    ...(content === undefined ? {} : { mediaType: content.mediaType }),
    ...(profiles === undefined ? {} : { defaultProfile: profiles.bind(decision)[program].boundProfile }),
    namedProfiles: [...served.offered].flatMap((name): DocsNamedProfile[] => {
      const bound = profiles?.bindNamed(decision, name);
      return bound === undefined ? [] : [{ name, profile: bound[program].boundProfile }];
    }),
  };
}

function revisionOf({
  revision,
  source,
  sinceMs,
}: NonNullable<Generation["revisions"]["decisions"]>): DocsRevision {
  return {
    ...(revision === undefined ? {} : { revision }),
    ...(source === undefined ? {} : { source }),
    since: new Date(sinceMs).toISOString(),
  };
}

/** What a decision of `logic` was made from, and its schemas as that sees them; `undefined` for one of rules. */
export function contentForDocs(decision: Decision): DocsContent | undefined {
  const { content } = decision[program];
  if (content === undefined) return undefined;
  const { inputSchema, outputSchema, profileSchema } = decision;
  return {
    ...content,
    inputSchema: toJsonSchema(inputSchema, "output"),
    outputSchema: toJsonSchema(outputSchema, "input"),
    profileSchema: toJsonSchema(profileSchema, "output"),
  };
}

/** What the pages call the inputs, outputs and rules of one version. */
export function describeVersion(decision: Decision) {
  const { ruleDescriptions } = decision;
  return {
    ...describeDecision(decision),
    ...extractDecisionSchema(decision),
    ruleIds: decision.ruleIds,
    ...(ruleDescriptions.size === 0 ? {} : { ruleDescriptions: Object.fromEntries(ruleDescriptions) }),
  };
}

/** Every version that is served, as the page's menu shows it. */
export function versionsOf(served: Served): readonly DocsVersion[] {
  return [...served.versions.values()].map(({ decision: { version }, deprecation }) => ({
    version,
    ...(version === served.standard.decision.version ? { default: true } : {}),
    ...(deprecation === undefined ? {} : { deprecated: datesOf(deprecation) }),
  }));
}

/** When a version was deprecated, and what comes next. */
export function datesOf({
  since,
  sunset,
  link,
}: NonNullable<Served["standard"]["deprecation"]>): DocsDeprecation {
  return {
    since: new Date(since).toISOString(),
    ...(sunset === undefined ? {} : { sunset: new Date(sunset).toISOString() }),
    ...(link === undefined ? {} : { link }),
  };
}
