import { defineCommand, exitCodes } from "../command-line/command.js";
import { decisionOptions, emitOption, port, text, wholeNumber } from "../command-line/options.js";
import { say } from "../command-line/output.js";
import { placeOptions, workerPlace } from "../worker/worker-call.js";

export const workerCommand = defineCommand({
  name: "worker",
  summary: "Evaluate inputs from PostgreSQL or NATS until stopped",
  positionals: "<module> <id>",
  options: {
    ...placeOptions,
    emit: emitOption,
    ...decisionOptions,
    batch: wholeNumber("maximum inputs taken at a time (default: 1000)", { least: 1, value: "<number>" }),
    lanes: wholeNumber("batches processed in parallel (default: 2)", { least: 1, value: "<number>" }),
    metrics: port("serve /metrics and /health/live on this port, 0 for a free one"),
    host: text("<name>", "with --metrics: address to listen on (default: 127.0.0.1)"),
  },
  examples: [
    [
      "decern worker decisions.ts loan-approval --postgres postgres://db/loans --inbox loans",
      "Evaluates the inputs of an inbox until stopped. Start any number of workers.",
    ],
    [
      "decern worker decisions.ts loan-approval --postgres postgres://db/loans --job recheck --table loans --key id",
      "Evaluates every row of a table, then exits.",
    ],
    [
      "decern worker decisions.ts loan-approval --nats nats://localhost --stream LOANS --consumer approval --results loans.answers",
      "Evaluates the inputs of a NATS JetStream stream.",
    ],
  ],
  exits: {
    0: "stopped by SIGTERM or SIGINT with its batches committed, or the job is finished",
    1: "wrong usage, or a source that cannot be opened or was lost for good",
  },
  async run({ positionals: [module = "", id = ""], options }, io) {
    const { emit, batch: maxItems, lanes, metrics: metricsPort, host = "127.0.0.1", version } = options;
    const settings = { place: workerPlace(options), emit, maxItems, lanes, metricsPort, host };
    const { decisionWork, liveWork } = await import("../module/decision-work.js");
    const { runModuleWorker } = await import("../worker/run-module-worker.js");
    const { givenProfiles } = await import("../module/profile-file.js");
    const work = {
      module,
      cwd: io.cwd,
      id,
      version,
      profiles: await givenProfiles(options, io),
      profileName: options["profile-name"],
    };
    // All rows of a job are evaluated with one set.
    const live = settings.place.kind === "job" ? undefined : await liveWork(work);
    const summary = await runModuleWorker(id, live ?? (await decisionWork(work)), settings, io);
    const counts = Object.entries(summary.counts).filter(([, count]) => count > 0);
    const what = counts.map(([status, count]) => `${status} ${count}`).join(", ");
    await say(io, `evaluated ${summary.items} inputs${what === "" ? "" : `: ${what}`}`);
    return exitCodes.ok;
  },
});
