import { basename, resolve } from "node:path";
import type { DecisionLog, ProfileSource } from "@decern/core";
import { metrics } from "@decern/metrics";
import { openapi } from "@decern/openapi";
import { type Authenticate, createServer, type ServerOptions } from "@decern/server";
import { watchProfiles } from "@decern/watch";
import { CommandError, type CommandIo } from "../command-line/command.js";
import { sentenceOf } from "../text/text.js";
import type { DecisionModule } from "./load-module.js";

/** Options of the server of a module: with metrics and an OpenAPI document, unless it says otherwise. */
function serverOptions({ decisions, source, profiles, versions, server }: DecisionModule): ServerOptions {
  return {
    decisions: source ?? decisions,
    metrics: metrics({ enabled: true }),
    openapi: openapi({ enabled: true }),
    ...(profiles === undefined ? {} : { profiles }),
    ...(versions === undefined ? {} : { versions }),
    ...server,
  };
}

/** @throws CommandError that names the module, for an option that it has wrong */
function serverOf({ path }: DecisionModule, options: ServerOptions): ReturnType<typeof createServer> {
  try {
    return createServer(options);
  } catch (cause) {
    throw new CommandError(`${basename(path)}: ${sentenceOf(cause).replace("createServer: ", "")}`, {
      cause,
    });
  }
}

export interface ServeSettings extends Pick<CommandIo, "cwd" | "env" | "signal"> {
  readonly port: number;
  readonly host: string;
  /** Path of a file. @default the profiles of the module */
  readonly profiles: string | undefined;
  /** Path of a folder. @default the log of the module */
  readonly records: string | undefined;
  readonly onListening?: () => void;
}

/** Serves a module until the signal is aborted and every reply is sent. */
export async function serveModule(module: DecisionModule, settings: ServeSettings): Promise<void> {
  const { cwd, signal, port, host } = settings;
  const options = serverOptions(module);
  if (settings.records !== undefined && options.log !== undefined) {
    throw new CommandError("--records contradicts the log that the module has in its server options");
  }
  const log =
    settings.records === undefined ? options.log : await folderLog(resolve(cwd, settings.records), settings);
  const watched = settings.profiles === undefined ? undefined : resolve(cwd, settings.profiles);
  const server = serverOf(module, {
    ...options,
    ...(log === undefined ? {} : { log }),
    ...(watched === undefined ? {} : { profiles: watchedProfiles(watched, module) }),
  });
  try {
    await server.listen(port, { host });
    settings.onListening?.();
    await aborted(signal);
  } finally {
    try {
      await server.close();
    } finally {
      // Counts and reports the records that could not be written.
      await log?.close();
    }
  }
}

async function folderLog(folder: string, { env }: ServeSettings): Promise<DecisionLog> {
  const { decisionLog, ndjsonFiles } = await import("@decern/decision-log");
  return decisionLog({ store: ndjsonFiles(folder), build: env["GIT_SHA"] || undefined });
}

/** Profiles of a file. Those that are missing from it keep the value that the module has. */
function watchedProfiles(file: string, { profiles }: DecisionModule): ProfileSource {
  const source = watchProfiles({ file });
  return {
    ...source,
    watch: (host) =>
      source.watch({
        accept: (set) => host.accept({ ...set, profiles: { ...profiles, ...set.profiles } }),
        onLoad: (load) => host.onLoad(load),
      }),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The OpenAPI document of the server that would serve a module. */
export async function documentOf(module: DecisionModule): Promise<unknown> {
  const options = serverOptions(module);
  const given = options.openapi;
  const feature = given !== undefined && "buildDocument" in given ? given : openapi({ enabled: true });
  const server = serverOf(module, {
    ...options,
    logger: false,
    openapi: { ...feature, enabled: true },
    authenticate: options.authenticate === undefined ? undefined : lettingIn(options.authenticate),
  });
  try {
    const reply = await server.handler.inject(feature.endpoint);
    if (reply.statusCode !== 200) {
      throw new CommandError(`the server returned ${reply.statusCode} for ${feature.endpoint}`);
    }
    return reply.json();
  } finally {
    await server.close();
  }
}

/** Accepts every caller, and is described like the one that doesn't. */
function lettingIn({ security }: Authenticate): Authenticate {
  return Object.assign(() => ({ caller: "decern" }), security === undefined ? {} : { security });
}
