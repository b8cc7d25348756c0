import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { errorBody, tableReply, toErrorReply } from "../src/host.js";
import { DecernError, ERRORS } from "../src/index.js";
import { withErrors } from "./support/errors-page.js";

describe("DecernError", () => {
  it("is recognised across two copies of the package", async () => {
    const copy = "../src/base/errors.js?copy";
    const { DecernError: Other } = await import(copy);
    const foreign: unknown = new Other("INVALID_JSON");
    expect(Other).not.toBe(DecernError);
    expect(foreign instanceof DecernError).toBe(true);
    expect(new Error("x") instanceof DecernError).toBe(false);
  });
});

describe("a subclass of DecernError", () => {
  class Refusal extends DecernError {}
  class QuotaRefusal extends Refusal {}

  it("is distinguished from other DecernErrors, even across two copies of the package", async () => {
    const copy = "../src/base/errors.js?copy";
    const { DecernError: Other } = await import(copy);
    const plain: unknown = new DecernError("BAD_REQUEST");
    const refusal: unknown = new Refusal("BAD_REQUEST");
    expect({
      ofPlain: plain instanceof Refusal,
      ofOther: new Other("BAD_REQUEST") instanceof Refusal,
    }).toEqual({ ofPlain: false, ofOther: false });
    expect({
      isRefusal: refusal instanceof Refusal,
      isQuotaRefusal: refusal instanceof QuotaRefusal,
    }).toEqual({ isRefusal: true, isQuotaRefusal: false });
    expect(new QuotaRefusal("BAD_REQUEST") instanceof Refusal).toBe(true);
    expect({ isDecernError: refusal instanceof DecernError, isOther: refusal instanceof Other }).toEqual({
      isDecernError: true,
      isOther: true,
    });
  });
});

describe("toErrorReply", () => {
  it("never replies to an error with a success, nor with a code that is not in the table", () => {
    for (const statusCode of [200, 204, 302, 0, 399, 600, 400.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(toErrorReply(new DecernError("BAD_REQUEST", { statusCode })).status).toBe(400);
    }
    const newer = Object.assign(new DecernError("BAD_REQUEST"), { code: "toString" });
    expect(toErrorReply(newer)).toEqual(tableReply("INTERNAL_ERROR"));
  });

  it("keeps every error status that a hook or a host chose", () => {
    for (const statusCode of [400, 499, 500, 599]) {
      for (const code of ["BAD_REQUEST", "INTERNAL_ERROR"] as const) {
        expect(toErrorReply(new DecernError(code, { statusCode })).status).toBe(statusCode);
      }
    }
  });

  it.each([
    ["A", true],
    ["A1_B", true],
    ["A".repeat(64), true],
    ["A".repeat(65), false],
    ["1A", false],
    ["_A", false],
    ["ENOENT\n", false],
    ["enoent", false],
    ["", false],
  ])("lets the code %j of a refusal out: %s", (code, isSent) => {
    const reply = toErrorReply(new DecernError("EVALUATION_ABORTED", { cause: { code, message: "No" } }));
    expect(reply).toEqual({ status: 400, code: isSent ? code : "EVALUATION_ABORTED", message: "No" });
  });

  it("has the table's message for a refusal whose own is empty", () => {
    const reply = toErrorReply(new DecernError("EVALUATION_ABORTED", { cause: new Error("") }));
    expect(reply.message).toBe("Evaluation refused");
  });

  it("never reveals detail, problems or causes", () => {
    const error = new DecernError("EVALUATION_FAILED", {
      detail: "secret",
      problems: [{ path: "/secret", message: "secret" }],
      cause: new Error("secret"),
    });
    expect(toErrorReply(error)).toEqual({
      status: 500,
      code: "EVALUATION_FAILED",
      message: "Evaluation failed",
    });
    expect(toErrorReply(new Error("secret"))).toEqual({
      status: 500,
      code: "INTERNAL_ERROR",
      message: "Internal server error",
    });
    expect(toErrorReply("secret")).toEqual(toErrorReply(undefined));
  });

  it.each([
    [Object.assign(new Error("No quota"), { code: "QUOTA" }), { message: "No quota", code: "QUOTA" }],
    [
      Object.assign(new Error("No quota"), { code: "not a code" }),
      { message: "No quota", code: "EVALUATION_ABORTED" },
    ],
    [{ statusCode: 429 }, { message: "Evaluation refused", code: "EVALUATION_ABORTED" }],
  ])("keeps the message and code of a hook's refusal", (cause, expected) => {
    expect(toErrorReply(new DecernError("EVALUATION_ABORTED", { statusCode: 429, cause }))).toEqual({
      status: 429,
      ...expected,
    });
  });

  it("writes the bodies of the contract", () => {
    expect(errorBody(tableReply("DECISION_NOT_FOUND", 'a"b'))).toBe(
      '{"error":"Decision not found: a\\"b","code":"DECISION_NOT_FOUND"}',
    );
  });
});

describe("docs/errors.md", () => {
  const path = fileURLToPath(new URL("../../../docs/errors.md", import.meta.url));
  const page = readFileSync(path, "utf8");

  it("has the table of ERRORS; if not, run `npx --yes pnpm@12 run docs:errors`", async () => {
    await expect(withErrors(page)).toMatchFileSnapshot(path);
  });

  it("gets a row for a new code, loses that of a former one, and keeps the causes", () => {
    const [code = ""] = Object.keys(ERRORS);
    const row = page.split("\n").find((line) => line.startsWith(`| \`${code}\` `)) ?? "";
    const stale = page.replace(row, row.replace(code, "FORMER_CODE"));
    expect(stale).not.toBe(page);
    const cause = /[^|]*\|$/.exec(row)?.[0] ?? "";
    expect(withErrors(stale)).toBe(page.replace(cause, " |"));
    expect(withErrors(page.replace(" | 500 decision |", " | 501 |"))).toBe(page);
  });
});
