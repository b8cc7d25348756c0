import { expect, it } from "vitest";
import type { Reply } from "../../src/model/reply.js";
import { isTestable, testSnippet } from "../../src/model/snippets.js";

const service = { service: "http://localhost:3000", id: "loan", version: "1.0.0", secured: false };

function reply(body: object, sent: Partial<Reply["sent"]> = {}): Reply {
  return {
    httpStatus: 200,
    requestId: undefined,
    milliseconds: 1,
    body,
    sent: { input: 1, profile: undefined, ...sent },
  };
}

it("offers a test for results only: the client throws everything else", () => {
  for (const status of ["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE"])
    expect(isTestable(reply({ status })), status).toBe(true);
  expect(isTestable(reply({ error: "busy", code: "OVERLOADED" }))).toBe(false);
  expect(isTestable({ ...reply({}), httpStatus: 0, body: undefined })).toBe(false);
});

it("keeps hostile texts within strings", () => {
  const text = testSnippet(
    reply(
      { status: "OK", data: '"); steal(); ("\u202e', meta: { matchedRule: "`); steal()//" } },
      { input: JSON.parse(`{"__proto__": "steal()\u2028"}`), profileName: '"steal()' },
    ),
    { ...service, id: '"]; steal(); x["', version: '\n"steal()' },
  );
  expect(text.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, "")).not.toContain("steal");
  expect(text).toContain('["__proto__"]: ');
  expect(text).not.toContain("\u202e");
});

it("names the variable of the key if one is needed", () => {
  const secured = testSnippet(reply({ status: "OK" }), { ...service, secured: true });
  expect(secured).toContain(`process.env["DECERN_API_KEY"]`);
  expect(testSnippet(reply({ status: "OK" }), service)).not.toContain("x-api-key");
});
