import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { type Static, Type } from "typebox";

const classifications = ["public", "internal", "confidential", "secret"] as const;

const classification = (title: string) => Type.Enum([...classifications], { type: "string", title });

const name = (title: string, example: string) =>
  Type.String({ title, minLength: 1, maxLength: 100, examples: [example] });

const inputType = Type.Object(
  {
    user: Type.Object(
      {
        id: name("Id", "amara"),
        department: name("Department", "finance"),
        roles: Type.Array(name("Role", "editor"), {
          title: "Roles",
          maxItems: 50,
          examples: [["staff", "editor"]],
        }),
        suspended: Type.Optional(Type.Boolean({ title: "Suspended", default: false })),
      },
      { title: "User", additionalProperties: false },
    ),
    document: Type.Object(
      {
        owner: name("Owner", "bela"),
        department: name("Department", "finance"),
        classification: classification("Classification"),
        legalHold: Type.Optional(
          Type.Boolean({ title: "Legal hold", description: "Evidence: must not change", default: false }),
        ),
      },
      { title: "Document", additionalProperties: false },
    ),
    action: Type.Enum(["read", "edit", "share", "delete"], { type: "string", title: "Action" }),
  },
  { title: "Access request", additionalProperties: false },
);

const outputType = Type.Object(
  {
    allowed: Type.Boolean({ title: "Allowed" }),
    reason: Type.String({ title: "Reason", description: "Shown to the user" }),
  },
  { title: "Verdict", additionalProperties: false },
);

const profileType = Type.Object(
  {
    clearances: Type.Record(Type.String({ maxLength: 100 }), classification("Clearance"), {
      title: "Clearances",
      description: "The highest classification that a role may see; unlisted roles see public documents only",
      examples: [{ staff: "internal", editor: "confidential" }],
    }),
    editorRoles: Type.Array(name("Role", "editor"), {
      title: "Editors",
      description: "Roles that may edit the documents of their own department",
      maxItems: 50,
    }),
  },
  { title: "Access policy", additionalProperties: false },
);

const amara = { id: "amara", department: "finance", roles: ["staff"] };

const budget = { owner: "bela", department: "finance", classification: "internal" };

const reading = { user: amara, document: budget, action: "read" };

export const documentAccessExamples = [
  {
    name: "Read within the department",
    input: reading,
    expect: { status: "OK", matchedRule: "department-read" },
  },
  {
    name: "Delete your own document",
    input: { ...reading, user: { ...amara, id: "bela" }, action: "delete" },
    expect: { status: "OK", matchedRule: "owner" },
  },
  {
    name: "Edit as an editor",
    input: { ...reading, user: { ...amara, roles: ["staff", "editor"] }, action: "edit" },
    expect: { status: "OK", matchedRule: "department-edit" },
  },
  {
    name: "Read a public document",
    input: { ...reading, document: { ...budget, department: "press", classification: "public" } },
    expect: { status: "OK", matchedRule: "public-read" },
  },
  {
    name: "Share (no rule covers it)",
    input: { ...reading, action: "share" },
    expect: { status: "NO_MATCH" },
  },
  {
    name: "Clearance too low",
    input: { ...reading, document: { ...budget, classification: "secret" } },
    expect: { status: "OK", matchedRule: "clearance-too-low" },
  },
  {
    name: "The owner, under a legal hold",
    input: {
      ...reading,
      user: { ...amara, id: "bela" },
      document: { ...budget, legalHold: true },
      action: "edit",
    },
    expect: { status: "OK", matchedRule: "legal-hold" },
  },
  {
    name: "A suspended user",
    input: { ...reading, user: { ...amara, suspended: true } },
    expect: { status: "OK", matchedRule: "suspended-user" },
  },
];

type Access = Static<typeof inputType>;

type Policy = Static<typeof profileType>;

type Classification = (typeof classifications)[number];

function rank(level: Classification): number {
  return classifications.indexOf(level);
}

function clearance(roles: readonly string[], { clearances }: Policy): Classification {
  let highest: Classification = "public";
  for (const role of roles) {
    // The caller names the roles, so `constructor` must not count as a clearance.
    const level = Object.hasOwn(clearances, role) ? clearances[role] : undefined;
    if (level !== undefined && rank(level) > rank(highest)) highest = level;
  }
  return highest;
}

function sameDepartment({ user, document }: Access): boolean {
  return user.department === document.department;
}

/**
 * Decides what a user may do with a document. If no rule matches, every guard denies access, because a guard requires
 * a clear yes.
 */
export const documentAccess = defineDecision({
  id: "document-access",
  version: "1.0.3",
  description:
    "Whether a user may read, edit, share or delete a document; access is denied unless a rule grants it",
  meta: {
    owner: "information-security",
    domain: "access",
    headline: { allowed: { true: "Allowed", false: "Denied" } },
    examples: documentAccessExamples,
  },
  inputSchema: typebox(inputType),
  outputSchema: typebox(outputType),
  profileSchema: typebox(profileType),
  rules: [
    {
      id: "suspended-user",
      description: "Suspended users get nothing",
      when: ({ user }) => user.suspended === true,
      emit: () => ({ allowed: false, reason: "Your account is suspended" }),
      explain: ({ user }) => `${user.id} is suspended`,
    },
    {
      id: "legal-hold",
      description: "No one changes a document that is evidence",
      when: ({ document, action }) =>
        document.legalHold === true && (action === "edit" || action === "delete"),
      emit: () => ({ allowed: false, reason: "The document is evidence and must not change" }),
      explain: ({ action }) => `A legal hold does not allow anyone to ${action} the document`,
    },
    {
      id: "clearance-too-low",
      description: "The user's clearance must reach the document's classification",
      when: ({ user, document }, policy) =>
        rank(clearance(user.roles, policy)) < rank(document.classification),
      emit: () => ({ allowed: false, reason: "Your clearance is too low" }),
      explain: ({ user, document }, policy) =>
        `Clearance ${clearance(user.roles, policy)} is below the document's ${document.classification}`,
    },
    {
      id: "owner",
      description: "Owners may do everything with their documents",
      when: ({ user, document }) => user.id === document.owner,
      emit: () => ({ allowed: true, reason: "It is your document" }),
      explain: ({ user }) => `${user.id} owns the document`,
    },
    {
      id: "public-read",
      description: "Everyone may read public documents",
      when: ({ document, action }) => document.classification === "public" && action === "read",
      emit: () => ({ allowed: true, reason: "The document is public" }),
      explain: "Everyone may read public documents",
    },
    {
      id: "department-read",
      description: "Colleagues may read their department's documents",
      when: (input) => input.action === "read" && sameDepartment(input),
      emit: () => ({ allowed: true, reason: "It belongs to your department" }),
      explain: ({ user }) => `${user.id} and the document both belong to ${user.department}`,
    },
    {
      id: "department-edit",
      description: "Editors may edit their department's documents",
      when: (input, { editorRoles }) =>
        input.action === "edit" &&
        sameDepartment(input) &&
        input.user.roles.some((role) => editorRoles.includes(role)),
      emit: () => ({ allowed: true, reason: "You edit for your department" }),
      explain: ({ user }) => `${user.id} is an editor in ${user.department}`,
    },
  ],
});
