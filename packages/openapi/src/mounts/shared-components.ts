import { ComponentNames } from "../components/component-names.js";
import { callParameters, recordHeaders, replyHeaders } from "../components/shared-responses.js";
import { replySchemas } from "../components/shared-schemas.js";
import { usedDeprecationHeaders } from "../versions/deprecation.js";
import type { ServedDecision } from "../versions/serve-plan.js";
import { versionResponses } from "../versions/version-components.js";
import { fieldsOf, type HostDocument, type Named } from "./host-document.js";
import { mountedResponses } from "./mounted-host.js";

const sections = ["schemas", "responses", "parameters", "headers"] as const;

/** The components that all decisions of a mount share, under names that are free in a document. */
export interface SharedComponents {
  readonly components: Readonly<Record<(typeof sections)[number], Named>>;
  /** Claims further names of schemas. */
  readonly schemaNames: ComponentNames;
  /** The reference to each component that got another name than usual, by its usual one. */
  readonly renamed: ReadonlyMap<string, string>;
}

/**
 * Names the components that all decisions share.
 *
 * @param document - its own components keep their names
 * @param records - whether calls are recorded
 */
export function nameSharedComponents(
  served: readonly ServedDecision[],
  document: HostDocument,
  records: boolean,
): SharedComponents {
  const hosts = fieldsOf(document.components);
  const isVersioned = served.some(({ versions }) => versions !== undefined);
  const shared: SharedComponents["components"] = {
    schemas: replySchemas,
    responses: { ...mountedResponses(records), ...(isVersioned ? versionResponses : {}) },
    parameters: callParameters,
    headers: { ...replyHeaders, ...(records ? recordHeaders : {}), ...usedDeprecationHeaders(served) },
  };
  // The components of an earlier mount in the same document serve this one too.
  const isThere = sections.every((section) => hasSame(fieldsOf(hosts[section]), shared[section]));
  const renamed = new Map<string, string>();
  const nameSection = (section: (typeof sections)[number], names: ComponentNames): Named => {
    for (const name of Object.keys(fieldsOf(hosts[section]))) {
      if (!isThere || !Object.hasOwn(shared[section], name)) names.claim(name);
    }
    return Object.fromEntries(
      Object.entries(shared[section]).map(([usual, component]) => {
        const name = names.claim(usual);
        const prefix = `#/components/${section}/`;
        if (name !== usual) renamed.set(prefix + usual, prefix + name);
        return [name, component];
      }),
    );
  };
  const schemaNames = new ComponentNames();
  const components = {
    schemas: nameSection("schemas", schemaNames),
    responses: nameSection("responses", new ComponentNames()),
    parameters: nameSection("parameters", new ComponentNames()),
    headers: nameSection("headers", new ComponentNames()),
  };
  return { components, schemaNames, renamed };
}

/** Whether each of the components is either the same in the document or not there. */
function hasSame(hosts: Named, shared: Named): boolean {
  return Object.entries(shared).every(
    ([name, component]) =>
      !Object.hasOwn(hosts, name) || JSON.stringify(hosts[name]) === JSON.stringify(component),
  );
}
