import { openapi } from "@decern/openapi";
import { type Authenticate, createServer } from "@decern/server";
import { CommandError } from "../command-line/command.js";
import type { DecisionModule } from "./load-module.js";
import { serverOptions } from "./server-options.js";

/** The OpenAPI document of the server that would serve a module. */
export async function documentOf(module: DecisionModule): Promise<unknown> {
  const options = serverOptions(module);
  const given = options.openapi;
  const feature = given !== undefined && "buildDocument" in given ? given : openapi({ enabled: true });
  const server = createServer({
    ...options,
    logger: false,
    openapi: { ...feature, enabled: true },
    authenticate: options.authenticate === undefined ? undefined : lettingIn(options.authenticate),
  });
  try {
    const reply = await server.handler.inject(feature.endpoint);
    if (reply.statusCode !== 200) {
      throw new CommandError(`the server answered ${reply.statusCode} for ${feature.endpoint}`);
    }
    return reply.json();
  } finally {
    await server.close();
  }
}

/** Asks nobody for a key, and is described as the one that does. */
function lettingIn({ security }: Authenticate): Authenticate {
  return Object.assign(() => ({ caller: "decern" }), security === undefined ? {} : { security });
}
