import { evaluate } from "@decern/core";
import { describe, expect, it } from "vitest";
import { documentAccess } from "../../src/decisions/index.js";

const profile = { clearances: { staff: "internal", lead: "secret" }, editorRoles: ["lead"] };
const user = { id: "amara", department: "finance", roles: ["staff"] };
const document = { owner: "bela", department: "finance", classification: "internal" };

function ask(action: string, who: object = {}, what: object = {}) {
  const input = { user: { ...user, ...who }, document: { ...document, ...what }, action };
  const result = evaluate(documentAccess, input as unknown, profile as unknown);
  return result.status === "OK" ? `${result.meta.matchedRule}: ${result.data.allowed}` : result.status;
}

describe("document-access", () => {
  it.each([
    ["read", {}, {}, "department-read: true"],
    ["read", { department: "sales" }, {}, "NO_MATCH"],
    ["read", { department: "sales", roles: [] }, { classification: "public" }, "public-read: true"],
    ["edit", { department: "sales", roles: [] }, { classification: "public" }, "NO_MATCH"],
    ["edit", {}, {}, "NO_MATCH"],
    ["edit", { roles: ["lead"] }, {}, "department-edit: true"],
    ["edit", { roles: ["lead"], department: "sales" }, {}, "NO_MATCH"],
    ["delete", { roles: ["lead"] }, {}, "NO_MATCH"],
    ["share", { roles: ["lead"] }, {}, "NO_MATCH"],
    ["delete", { id: "bela" }, {}, "owner: true"],
    ["share", { id: "bela", department: "sales" }, {}, "owner: true"],
  ])("%s by %o of %o: %s", (action, who, what, outcome) => {
    expect(ask(action, who, what)).toBe(outcome);
  });

  it.each([
    [[], "public", "public-read: true"],
    [[], "internal", "clearance-too-low: false"],
    [["staff"], "internal", "department-read: true"],
    [["staff"], "confidential", "clearance-too-low: false"],
    [["staff", "lead"], "secret", "department-read: true"],
    [["lead", "staff"], "secret", "department-read: true"],
  ])("roles %o and a %s document: %s", (roles, classification, outcome) => {
    expect(ask("read", { roles }, { classification })).toBe(outcome);
    // Not even owners may read above their clearance.
    const owner = ask("read", { id: "bela", roles }, { classification });
    expect(owner).toBe(outcome.replace(/^(department|public)-read/, "owner"));
  });

  it.each(["constructor", "__proto__", "toString"])("a role called %s grants no clearance", (role) => {
    expect(ask("read", { roles: [role] })).toBe("clearance-too-low: false");
  });

  it.each([
    ["read", "owner: true"],
    ["share", "owner: true"],
    ["edit", "legal-hold: false"],
    ["delete", "legal-hold: false"],
  ])("a legal hold against the owner: %s, %s", (action, outcome) => {
    expect(ask(action, { id: "bela" }, { legalHold: true })).toBe(outcome);
  });

  it("a suspended user may do nothing with any document", () => {
    for (const action of ["read", "edit", "share", "delete"]) {
      expect(ask(action, { id: "bela", suspended: true }, { classification: "public" })).toBe(
        "suspended-user: false",
      );
    }
  });
});
