import type { Example } from "./example.js";

const amara = { id: "amara", department: "finance", roles: ["staff"] };
const budget = { owner: "bela", department: "finance", classification: "internal" };
const reading = { user: amara, document: budget, action: "read" };

export const documentAccessExamples: readonly Example[] = [
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
