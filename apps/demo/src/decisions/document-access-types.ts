import { Type } from "typebox";

export const classifications = ["public", "internal", "confidential", "secret"] as const;
const classification = (title: string) => Type.Enum([...classifications], { type: "string", title });
const name = (title: string, example: string) =>
  Type.String({ title, minLength: 1, maxLength: 100, examples: [example] });

export const inputType = Type.Object(
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

export const outputType = Type.Object(
  {
    allowed: Type.Boolean({ title: "Allowed" }),
    reason: Type.String({ title: "Reason", description: "Shown to the user" }),
  },
  { title: "Verdict", additionalProperties: false },
);

export const profileType = Type.Object(
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
