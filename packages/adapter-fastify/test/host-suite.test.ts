import Fastify, { type FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { hostSuite, type MountedHost } from "../../../test/suites/host-suite.js";
import { createDecisionRoute, decisionPlugin } from "../src/index.js";

function mounted(app: FastifyInstance, prefix = ""): MountedHost {
  return {
    send: async ({ id, headers, body }) => {
      const reply = await app.inject({
        method: "POST",
        url: `${prefix}/${id}`,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      return { status: reply.statusCode, headers: reply.headers, body: reply.body };
    },
    close: () => app.close(),
  };
}

hostSuite("decisionPlugin", {
  async mount(options) {
    const app = Fastify();
    await app.register(decisionPlugin, { ...options, prefix: "/decisions" });
    return mounted(app, "/decisions");
  },
});

hostSuite("createDecisionRoute", {
  mount({ decisions, profiles, ...options }) {
    const app = Fastify();
    for (const decision of decisions) {
      app.route(
        createDecisionRoute({
          ...options,
          url: `/${decision.id}`,
          decision,
          profile: profiles?.[decision.id],
        }),
      );
    }
    return mounted(app);
  },
});

hostSuite("decisionPlugin wrapped by fastify-plugin, beside a host that handles errors its own way", {
  async mount(options) {
    const app = Fastify();
    app.setErrorHandler((_error, _request, reply) => reply.code(418).send("the host's own"));
    await app.register(
      fastifyPlugin((instance: FastifyInstance, given: typeof options) => decisionPlugin(instance, given)),
      options,
    );
    return mounted(app);
  },
});
