import { createClient } from "@decern/client";
import { createServer } from "@decern/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { rollOut } from "../../src/callers.js";
import { loanApprovalExamples } from "../../src/decisions/loan-approval.js";
import { news2Examples } from "../../src/decisions/news2.js";
import { serviceOptions } from "../../src/service-options.js";
import { settings } from "../support/settings.js";

type Decisions = ReturnType<typeof rollOut>["decisions"];

const server = createServer({
  ...serviceOptions({ ...settings, apiKeys: { shop: ["key-1"] } }),
  logger: false,
});
let url: string;
beforeAll(async () => {
  url = await server.listen(0, { host: "127.0.0.1" });
});
afterAll(() => server.close());

const client = () => createClient<Decisions>({ url, headers: { "x-api-key": "key-1" } });

describe("the client of the demo's service", () => {
  it("evaluates with the types of the decision, also those without a line of code for it", async () => {
    const { news2 } = client();
    const result = await news2({
      respirationRate: 16,
      spo2: 97,
      breathing: "air",
      systolicBloodPressure: 122,
      pulse: 72,
      consciousness: "A",
      temperature: 36.8,
    });
    if (result.status !== "OK") throw new Error(result.message);
    expect(result.data.score).toBe(0);
    expect(result.meta.matchedRule).toBe("zero");
  });

  it.each([
    ...news2Examples.map((one) => ["news2", one] as const),
    ...loanApprovalExamples.map((one) => ["loan-approval", one] as const),
  ])("%s: every example comes out as it says", async (id, { input, expect: expected, ...rest }) => {
    const call = createClient({ url, headers: { "x-api-key": "key-1" } })[id];
    const profile = "profile" in rest ? rest.profile : undefined;
    const result = await call?.(input, { profile, version: id === "news2" ? undefined : "1.2.0" });
    expect(result?.status).toBe(expected.status);
    if (result?.status === "OK") expect(result.meta.matchedRule).toBe(expected.matchedRule);
  });

  it("pins versions, and gets errors for those that are unknown or retired", async () => {
    const call = client()["loan-approval"];
    const input = {
      applicant: { age: 34, income: 68_000, creditScore: 765, employment: "employed" },
      amount: 20_000,
      termMonths: 60,
      country: "GB",
    } as const;
    for (const version of ["1.2.0", "2.0.0"]) {
      const { meta } = await call(input, { version });
      expect(meta).toMatchObject({ decisionVersion: version });
    }
    await expect(call(input, { version: "9.9.9" })).rejects.toMatchObject({
      code: "VERSION_NOT_FOUND",
      status: 404,
    });
    await expect(call(input, { version: "1.1.0" })).rejects.toMatchObject({
      code: "VERSION_RETIRED",
      status: 410,
    });
    expect((await call(input, { profileName: "strict" })).status).toBe("OK");
    await expect(call(input, { profileName: "default" })).rejects.toMatchObject({
      code: "PROFILE_NOT_OFFERED",
      status: 403,
    });
  });

  it("gets the service's own request id when a call fails, or the one it sent", async () => {
    const { news2 } = createClient({ url });
    await expect(news2?.({})).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      status: 401,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await expect(news2?.({}, { requestId: "order-17" })).rejects.toMatchObject({ requestId: "order-17" });
  });
});
