import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import {
  type CatalogueHost,
  type CatalogueHostOptions,
  callerSuite,
  type MountedCatalogue,
  profileChoiceSuite,
  versionSuite,
} from "../../../test/suites/catalogue-suite.js";
import { featureSuite } from "../../../test/suites/feature-suite.js";
import { createDecisionHandler, createDecisionRoute, decisionPlugin } from "../src/index.js";

function mounted(app: FastifyInstance, prefix: string): MountedCatalogue {
  return {
    prefix,
    async post(url, headers, body) {
      const reply = await app.inject({ method: "POST", url, headers, body });
      return { status: reply.statusCode, headers: reply.headers, body: reply.body };
    },
    close: () => app.close(),
  };
}

function withCaller({ caller, ...options }: CatalogueHostOptions) {
  return caller === undefined
    ? options
    : { ...options, caller: ({ headers }: Pick<FastifyRequest, "headers">) => caller(headers) };
}

/** Mounts one decision at a route of the host's own. */
function single(
  add: (app: FastifyInstance, options: Parameters<typeof createDecisionRoute>[0]) => void,
): CatalogueHost {
  return {
    mount(options) {
      const { decisions, profiles, profileResolver, versions, shadow, features, ...rest } =
        withCaller(options);
      const app = Fastify();
      for (const decision of decisions) add(app, { ...rest, url: `/own/${decision.id}`, decision });
      return mounted(app, "/own");
    },
  };
}

const plugin: CatalogueHost = {
  async mount(options) {
    const app = Fastify();
    await app.register(
      async (inner) =>
        void (await inner.register(decisionPlugin, { ...withCaller(options), prefix: "/decisions" })),
      {
        prefix: "/api",
      },
    );
    return mounted(app, "/api/decisions");
  },
};
callerSuite("decisionPlugin", plugin);
profileChoiceSuite("decisionPlugin", plugin);
versionSuite("decisionPlugin", plugin);
featureSuite("decisionPlugin", plugin);

callerSuite(
  "createDecisionRoute",
  single((app, options) => void app.route(createDecisionRoute(options))),
);
callerSuite(
  "createDecisionHandler",
  single((app, { url, ...options }) => void app.post(url, createDecisionHandler(options))),
);
