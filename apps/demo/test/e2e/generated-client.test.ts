import { createServer } from "@decern/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compile, orvalClient } from "../../../../test/suites/generated-client.js";
import { serviceOptions } from "../../src/service-options.js";
import { settings } from "../support/settings.js";

const server = createServer({ ...serviceOptions(settings), logger: false });
let client: string;

beforeAll(async () => {
  const url = await server.listen(0, { host: "127.0.0.1" });
  const response = await fetch(`${url}/openapi.json`);
  client = await orvalClient(Object(await response.json()));
});
afterAll(() => server.close());

const program = `
import { evaluateNews2, type News2Input, type News2Output } from "./client.js";

export async function score(input: News2Input): Promise<News2Output["score"] | undefined> {
  const { status, data } = await evaluateNews2({ input });
  return status === 200 && data.status === "OK" ? data.data.score : undefined;
}
`;

it("orval generates a client of the demo that compiles", async () => {
  expect(await compile({ "client.ts": client, "program.ts": program })).toBe("");
});

it("the client knows the types of each decision", async () => {
  const wrong = program.replace('["score"]', '["colour"]');
  expect(await compile({ "client.ts": client, "program.ts": wrong })).toContain("'colour'");
});
