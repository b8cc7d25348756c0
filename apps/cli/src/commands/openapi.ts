import { type Command, exitCodes } from "../command-line/command.js";
import { writeText } from "../command-line/write-text.js";

export const openapiCommand: Command = {
  name: "openapi",
  summary: "Print the OpenAPI document of the server that serves a module",
  positionals: "<module>",
  counts: [1, 1],
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
    const { documentOf } = await import("../module/document-of.js");
    const document = await documentOf(await loadModule(path, io.cwd));
    await writeText(io.stdout, `${JSON.stringify(document, undefined, 2)}\n`);
    return exitCodes.ok;
  },
};
