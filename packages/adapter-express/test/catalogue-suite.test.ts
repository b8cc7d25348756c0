import type { Express, Request } from "express";
import request from "supertest";
import {
  type CatalogueHost,
  type CatalogueHostOptions,
  callerSuite,
  type MountedCatalogue,
  profileChoiceSuite,
  versionSuite,
} from "../../../test/suites/catalogue-suite.js";
import { featureSuite } from "../../../test/suites/feature-suite.js";
import { expressVersions } from "./express-versions.js";

function mounted(app: Express, prefix: string): MountedCatalogue {
  // Once for all requests: a server for each would ask the system for a port each time.
  const server = app.listen(0, "127.0.0.1");
  return {
    prefix,
    async post(path, headers, body) {
      const call = request(server).post(path).set(headers).buffer(true);
      const reply = await call.serialize((text) => text).send(body);
      return { status: reply.status, headers: reply.headers, body: reply.text };
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function withCaller({ caller, ...options }: CatalogueHostOptions) {
  return caller === undefined ? options : { ...options, caller: ({ headers }: Request) => caller(headers) };
}

for (const { name, express, adapter } of await expressVersions()) {
  const router: CatalogueHost = {
    mount(options) {
      const app = express();
      const mountOn = express.Router();
      mountOn.use("/v1", adapter.createDecisionRouter({ ...withCaller(options), prefix: "decisions" }));
      app.use("/api", mountOn);
      return mounted(app, "/api/v1/decisions");
    },
  };
  callerSuite(`${name}, router`, router);
  profileChoiceSuite(`${name}, router`, router);
  versionSuite(`${name}, router`, router);
  featureSuite(`${name}, router`, router);

  callerSuite(`${name}, middleware`, {
    mount(options) {
      const { decisions, profiles, profileResolver, versions, shadow, features, ...rest } =
        withCaller(options);
      const app = express();
      const routes = express.Router();
      for (const decision of decisions)
        routes.post(`/${decision.id}`, adapter.createDecisionMiddleware({ ...rest, decision }));
      app.use("/own", routes);
      return mounted(app, "/own");
    },
  });
}
