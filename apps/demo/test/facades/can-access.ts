import { authzen } from "@decern/authzen";
import { defineDecision, type Logger } from "@decern/core";
import { z } from "zod";

/** The policy that the certification scenario of AuthZEN asks for, and ids with which it fails. */
export const canAccess = defineDecision({
  id: "can-access",
  version: "1.0.0",
  inputSchema: z.object({
    subject: z.string(),
    role: z.string().optional(),
    action: z.enum(["read", "write", "delete"]),
    soft: z.boolean().optional(),
    status: z.string().optional(),
  }),
  outputSchema: z.object({ allowed: z.boolean() }),
  profileSchema: z.object({}),
  rules: [
    {
      id: "broken",
      when: ({ subject }) => {
        if (subject === "broken") throw new Error("secret of the rule");
        return false;
      },
      emit: () => ({ allowed: true }),
    },
    { id: "nobody", when: ({ subject }) => subject === "nobody", emit: () => ({ allowed: false }) },
    { id: "admin", when: ({ role }) => role === "admin", emit: () => ({ allowed: true }) },
    {
      id: "archived",
      when: ({ action, status }) => action === "write" && status === "archived",
      emit: () => ({ allowed: false }),
      explain: "Archived records are read only",
    },
    { id: "read", when: ({ action }) => action === "read", emit: () => ({ allowed: true }) },
    {
      id: "owner",
      when: ({ subject }) => subject === "alice",
      emit: ({ action, soft }) => ({ allowed: action === "write" || soft === true }),
    },
    { id: "others", when: ({ subject }) => subject === "bob", emit: () => ({ allowed: false }) },
  ],
});

export const silent: Logger = { error: () => {} };

export const facade = authzen({
  evaluation: canAccess,
  url: "https://pdp.example.com",
  maxEvaluations: 40,
  toInput({ subject, action, resource }): unknown {
    if (subject.id === "unmappable") throw new Error("secret of the mapper");
    return {
      subject: subject.id,
      role: subject.properties?.["role"],
      action: action.name,
      soft: action.properties?.["soft"],
      status: resource.properties?.["status"],
    };
  },
});

/** A request of the certification scenario. */
export function ask(
  subject: string,
  action: string,
  { role, soft, status }: { readonly role?: string; readonly soft?: boolean; readonly status?: string } = {},
) {
  return {
    subject: { type: "user", id: subject, ...(role === undefined ? {} : { properties: { role } }) },
    action: { name: action, ...(soft === undefined ? {} : { properties: { soft } }) },
    resource: {
      type: "record",
      id: status === "archived" ? "record-2" : "record-1",
      ...(status === undefined ? {} : { properties: { status } }),
    },
  };
}
