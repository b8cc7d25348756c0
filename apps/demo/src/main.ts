import { DecernError } from "@decern/core";
import { createServer } from "@decern/server";
import { serviceOptions } from "./service-options.js";
import { help, readSettings, UsageError } from "./settings.js";
import { stopOnSignals } from "./stop-on-signals.js";

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2), process.env);
  if (settings === "help") {
    process.stdout.write(help);
    return;
  }
  const options = serviceOptions(settings);
  const server = createServer(options);
  stopOnSignals(async () => {
    try {
      await server.close();
    } finally {
      // Counts and reports the records that could not be written.
      await options.log?.close();
    }
  });
  await server.listen(settings.port, { host: settings.host });
}

try {
  await main();
} catch (error) {
  const wrongUse =
    error instanceof UsageError || (error instanceof DecernError && error.code === "INVALID_OPTIONS");
  const message = error instanceof Error ? error.message : String(error);
  console.error(`decern-demo: ${message}${wrongUse ? "\nTry --help." : ""}`);
  process.exitCode = wrongUse ? 2 : 1;
}
