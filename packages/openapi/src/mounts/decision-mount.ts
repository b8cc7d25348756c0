import type { Decision, VersionPolicy } from "@decern/core";
import { prefixKind, type SecurityDescription } from "@decern/core/host";
import { type OptionTable, optionKinds } from "@decern/core/tools";
import type { ReferenceObject, ResponseObject } from "../document/document.js";
import { responsesKind, securityKind } from "../option-kinds.js";

/** A decision router or plugin, as an application has mounted it. */
export interface DecisionMount {
  readonly decisions: readonly Decision[];
  /**
   * The path of the decisions without their ids, from the server's URL: where the application mounts the router, and the
   * router's own prefix.
   * @default none
   */
  readonly prefix?: string | undefined;
  /** The `versions` of the router or plugin. Required for each id with several versions. */
  readonly versions?: Readonly<Record<string, VersionPolicy | undefined>> | undefined;
  /** Whether the router or plugin has a `log`. @default false */
  readonly records?: boolean | undefined;
  /** How the application authenticates callers. @default what the document says of all its operations */
  readonly security?: SecurityDescription | undefined;
  /** What the application itself replies before or instead of a decision, such as its own 401, by status. */
  readonly responses?: Readonly<Record<string, ResponseObject | ReferenceObject>> | undefined;
}

/** The kinds of {@link DecisionMount}. */
export const mountKinds: OptionTable<DecisionMount> = {
  // `createCatalogue` checks what is inside both.
  decisions: optionKinds.listOf(optionKinds.anything),
  versions: optionKinds.object,
  prefix: prefixKind,
  records: optionKinds.flag,
  security: securityKind,
  responses: responsesKind,
};
