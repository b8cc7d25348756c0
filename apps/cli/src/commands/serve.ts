import { CommandError, defineCommand, exitCodes } from "../command-line/command.js";
import { flag, profilesOption, text } from "../command-line/options.js";
import { jsonText, writeText } from "../command-line/output.js";

export const serveCommand = defineCommand({
  name: "serve",
  summary: "Serve the decisions of a module over HTTP",
  positionals: "<module>",
  options: {
    port: text("<number>", "port to listen on, 0 for a free one (default: PORT, else 3000)"),
    host: text("<name>", "host name or address (default: HOST, else localhost)"),
    profiles: {
      ...profilesOption.profiles,
      description: `${profilesOption.profiles.description}; reloaded when it changes`,
    },
    records: text("<folder>", "keep a record of every evaluation in this folder"),
    watch: flag(
      "serve the new code when the module changes, or a file that it imports or names in new URL(…, import.meta.url)",
    ),
  },
  examples: [
    ["decern serve decisions.ts", "Serves on http://localhost:3000, with a docs page at /docs."],
    [
      "decern serve decisions.ts --host 0.0.0.0 --port 8080 --records records",
      "Listens on every interface, and keeps records for replay.",
    ],
  ],
  exits: {
    0: "stopped on request (SIGINT or SIGTERM), with every reply sent",
    1: "wrong usage, or it could not start or stop",
  },
  async run({ positionals: [path = ""], options }, io) {
    const { profiles, records, watch } = options;
    const port = portOf(options.port ?? emptyAsNone(io.env["PORT"]));
    const host = options.host ?? emptyAsNone(io.env["HOST"]) ?? "localhost";
    const { isWatched, serveAsWatched, serveWatched } = await import("../module/serve-watched.js");
    if (watch && !isWatched()) return await serveWatched(path, io);
    const { loadModule } = await import("../module/load-module.js");
    const { serveModule } = await import("../module/serve-module.js");
    const { givenProfiles, withProfiles } = await import("../module/profile-file.js");
    const module = await loadModule(path, io.cwd, true);
    // A check before the start says more than watching does, which could not read standard input again.
    if (profiles === "-") throw new CommandError("--profiles must be a file that can be read again");
    const given = await givenProfiles(options, io);
    if (module.source === undefined) withProfiles(module, given);
    const settings = { port, host, profiles, records, cwd: io.cwd, env: io.env, signal: io.signal };
    await (watch ? serveAsWatched : serveModule)(module, settings);
    return exitCodes.ok;
  },
});

function emptyAsNone(text: string | undefined): string | undefined {
  return text?.trim() === "" ? undefined : text;
}

function portOf(text = "3000"): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new CommandError(`the port must be a number from 0 to 65535, not "${text}"`);
  }
  return port;
}

export const openapiCommand = defineCommand({
  name: "openapi",
  summary: "Print the OpenAPI document of the server that serves a module",
  positionals: "<module>",
  options: {},
  examples: [
    [
      "decern openapi decisions.ts > openapi.json",
      "Writes the document to a file, for a client generator or a review.",
    ],
    ["decern openapi decisions.ts | diff openapi.json -", "Shows whether the API has changed."],
  ],
  exits: { 0: "printed", 1: "wrong usage, or a module that cannot be loaded" },
  async run({ positionals: [path = ""] }, io) {
    const { loadModule } = await import("../module/load-module.js");
    const { documentOf } = await import("../module/serve-module.js");
    const document = await documentOf(await loadModule(path, io.cwd));
    await writeText(io.stdout, jsonText(document));
    return exitCodes.ok;
  },
});
