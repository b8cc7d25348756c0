import type { ProfileOf } from "@decern/core";
import type { loanApproval } from "./decisions/index.js";

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
