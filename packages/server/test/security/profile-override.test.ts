import { expect, it } from "vitest";
import { createServer } from "../../src/index.js";
import { post, probe } from "./fixtures.js";

const input = { case: "matches", secret: "s" };

it.each([{}, { limit: 2 }, null, false, 0, "", [], { limit: "x" }])(
  "profileOverride: false refuses the profile %j, and evaluates nothing",
  async (profile) => {
    const evaluated: unknown[] = [];
    const server = createServer({
      decisions: [probe],
      logger: false,
      profileOverride: false,
      observers: [{ onEvaluated: (event) => evaluated.push(event) }],
    });
    const reply = await post(server, { input, profile });
    expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
      statusCode: 403,
      json: {
        error: "This server does not accept a 'profile' in the request body",
        code: "PROFILE_OVERRIDE_FORBIDDEN",
      },
    });
    expect(evaluated).toEqual([]);
    expect((await post(server, { input })).statusCode).toBe(200);
    expect(evaluated).toHaveLength(1);
  },
);

it("refuses a profile that appears twice, or whose key is escaped", async () => {
  const server = createServer({ decisions: [probe], logger: false, profileOverride: false });
  const inner = JSON.stringify(input);
  for (const body of [
    `{"input":${inner},"profile":{},"profile":{}}`,
    `{"input":${inner},"\\u0070rofile":{}}`,
    `{"profile":{},"input":${inner}}`,
  ]) {
    expect((await post(server, body)).statusCode, body).toBe(403);
  }
  expect((await post(server, `{"input":${inner},"Profile":{},"profile ":{}}`)).statusCode).toBe(200);
});
