import { describe, expect, it } from "vitest";
import { ComponentNames, typeName } from "../src/components/component-names.js";

describe("typeName", () => {
  it.each([
    ["loan-approval", "LoanApproval"],
    ["a_b.c~d", "ABCD"],
    ["loanApproval", "LoanApproval"],
    ["URL", "URL"],
    ["2fa", "Decision2fa"],
    ["~", "Decision"],
    ["__proto__", "Proto"],
  ])("writes %s as %s", (text, name) => {
    expect(typeName(text, "Decision")).toBe(name);
  });
});

describe("ComponentNames", () => {
  it("appends a number to every name but the first", () => {
    const names = new ComponentNames();
    expect([names.claim("AB"), names.claim("AB"), names.claim("AB2"), names.claim("AB")]).toEqual([
      "AB",
      "AB2",
      "AB22",
      "AB3",
    ]);
  });

  it("ignores case", () => {
    const names = new ComponentNames();
    names.claim("Loan");
    expect(names.claim("LOAN")).toBe("LOAN2");
  });

  it("returns a name that is free with every suffix", () => {
    const names = new ComponentNames();
    names.claim("NoMatchResult");
    expect(names.claim("NoMatch", ["Input", "Result"])).toBe("NoMatch2");
    expect(names.claim("NoMatch2Input")).toBe("NoMatch2Input2");
  });

  it("does not number a name that merely resembles a taken one", () => {
    const names = new ComponentNames();
    names.claim("Error");
    expect(names.claim("Error", ["Input", "Result"])).toBe("Error");
  });
});
