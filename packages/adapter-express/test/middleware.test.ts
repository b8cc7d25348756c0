import request from "supertest";
import { describe, expect, it, vi } from "vitest";
import { loan } from "../../../test/suites/loan-and-access.js";
import { recording } from "../../../test/suites/recording.js";
import { singleSuite } from "../../../test/suites/single-suite.js";
import { expressFrameworks } from "./express-framework.js";
import { expressVersions } from "./express-versions.js";

for (const framework of expressFrameworks) singleSuite(framework);

describe.each(await expressVersions())("createDecisionMiddleware, $name", ({ express, adapter }) => {
  it("leaves the masking of the host's faults to the host, as Express does in production", async () => {
    const record = recording();
    const app = express().set("env", "production");
    app.post(
      "/",
      adapter.createDecisionMiddleware({
        decision: loan,
        ...record.options,
        profileResolver: () => Promise.reject(new Error("boom")),
      }),
    );
    const silenced = vi.spyOn(console, "error").mockImplementation(() => {});
    const reply = await request(app).post("/").send({ score: 700 });
    // Express logs after its reply.
    await expect.poll(() => silenced.mock.calls).toHaveLength(1);
    silenced.mockRestore();
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain("boom");
  });
});
