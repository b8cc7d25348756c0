import {
  type ProfileOf,
  type ProfileResolver,
  type ShadowPolicy,
  stableBucket,
  type VersionPolicy,
} from "@decern/core";
import { decisions, loanApproval, loanApproval2, versions } from "./decisions/index.js";

/** Names of the profiles that a caller has for itself, by decision. */
const tenants: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ["credit-union", { "loan-approval": "strict" }],
]);

/** Gives a caller its own profile of a decision: the one that `profiles` has as `<id>#<name>`. */
export const tenantProfile: ProfileResolver = ({ caller = "", decisionId, named }) => {
  const name = tenants.get(caller)?.[decisionId];
  return name === undefined ? undefined : named(name);
};

const current = loanApproval.version;

const candidate = loanApproval2.version;

const policy = versions["loan-approval"];

/** The part of a host's options that serves two versions of `loan-approval`. */
interface RollOut {
  readonly decisions: typeof decisions;
  readonly versions: { readonly "loan-approval": VersionPolicy<typeof current | typeof candidate> };
  readonly shadow: { readonly "loan-approval"?: ShadowPolicy<typeof candidate> };
}

/**
 * Serves version 2.0.0 of `loan-approval` alongside version 1.2.0, and moves callers to it step by step.
 *
 * @param percent - how many of the callers get 2.0.0. Each caller keeps its version, and a higher share moves none back.
 *   Calls without a caller get 1.2.0. At 100, version 2.0.0 is the default, and 1.2.0 is deprecated.
 */
export function rollOut(percent: number): RollOut {
  if (percent === 100) {
    const notice = { since: "2026-12-01", sunset: "2027-06-30", link: "https://example.com/loan-approval-2" };
    const switched = { ...policy, default: candidate, deprecated: { [current]: notice } };
    return { decisions, versions: { "loan-approval": switched }, shadow: {} };
  }
  const select: VersionPolicy["select"] = ({ caller }) => {
    if (caller === undefined) return undefined;
    return stableBucket(caller, "loan-approval-2.0.0") < percent / 100 ? candidate : undefined;
  };
  return {
    decisions,
    versions: { "loan-approval": { ...policy, select } },
    // Those who still get the current version show how often the candidate would have replied otherwise.
    shadow: { "loan-approval": { version: candidate, sample: 1 } },
  };
}

interface User {
  readonly id: string;
  readonly department: string;
  readonly roles: readonly string[];
}

interface Document {
  readonly owner: string;
  readonly department: string;
  readonly classification: "public" | "internal" | "confidential" | "secret";
  readonly title: string;
}

/** Users by bearer token. A real host would ask its identity provider. */
const users: ReadonlyMap<string, User> = new Map([
  ["amara-token", { id: "amara", department: "finance", roles: ["staff"] }],
  ["chidi-token", { id: "chidi", department: "sales", roles: ["staff"] }],
  ["shop-token", { id: "shop", department: "partners", roles: [] }],
  ["union-token", { id: "credit-union", department: "partners", roles: [] }],
]);

const documents: ReadonlyMap<string, Document> = new Map([
  ["budget", { owner: "bela", department: "finance", classification: "internal", title: "Budget" }],
  ["salaries", { owner: "bela", department: "finance", classification: "secret", title: "Salaries" }],
]);

/** The user who sent a request, by its `authorization` header. */
export function findUser(authorization: string | undefined): User | undefined {
  const [scheme, token = ""] = authorization?.split(" ") ?? [];
  return scheme?.toLowerCase() === "bearer" ? users.get(token) : undefined;
}

/** A document by its id in the path. */
export function findDocument(id: unknown): Document | undefined {
  return typeof id === "string" ? documents.get(id) : undefined;
}

/**
 * The input of `document-access` for a request. An unknown user or document is left out. That makes the input invalid,
 * so access is denied.
 */
export function accessRequest(authorization: string | undefined, documentId: unknown): unknown {
  const { title: _title, ...document } = findDocument(documentId) ?? {};
  return { user: findUser(authorization), document, action: "read" };
}

/** The loan policy by department: finance may lend more. */
export function lendingPolicy(authorization: string | undefined): ProfileOf<typeof loanApproval> {
  const finance = findUser(authorization)?.department === "finance";
  return { minScore: 620, maxDti: 0.4, maxAmount: finance ? 75_000 : 10_000, blockedCountries: ["KP"] };
}
