import type { Express } from "express";
import request from "supertest";
import { expect, it } from "vitest";
import { hostSuite, type MountedHost } from "../../../test/suites/host-suite.js";
import { expressVersions } from "./express-versions.js";

function mounted(app: Express, prefix = ""): MountedHost {
  return {
    async send({ id, headers, body }) {
      const call = request(app).post(`${prefix}/${id}`).set(headers).buffer(true);
      const reply = await (body === undefined ? call : call.serialize((text) => text).send(body));
      return { status: reply.status, headers: reply.headers, body: reply.text };
    },
  };
}

const versions = await expressVersions();

it("runs against both versions of Express", () => {
  const [five, four] = versions.map(({ express }) => express());
  // Express 4 has the lazy router, and `app.del`.
  expect({ express5: five && "del" in five, express4: four && "del" in four }).toEqual({
    express5: false,
    express4: true,
  });
});

for (const { name, express, adapter } of versions) {
  hostSuite(`${name}, router, nobody else parses`, {
    mount(options) {
      const app = express();
      app.use("/api", adapter.createDecisionRouter({ ...options, prefix: "decisions" }));
      return mounted(app, "/api/decisions");
    },
  });

  hostSuite(`${name}, middleware on routes of the host`, {
    mount({ decisions, profiles, ...options }) {
      const app = express();
      for (const decision of decisions) {
        const profile = profiles?.[decision.id];
        app.post(`/${decision.id}`, adapter.createDecisionMiddleware({ ...options, decision, profile }));
      }
      return mounted(app);
    },
  });
}
