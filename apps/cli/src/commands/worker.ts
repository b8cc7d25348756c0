import { type Command, exitCodes } from "../command-line/command.js";
import { decisionOptions, emitOf, emitOption, portNumber, wholeNumber } from "../command-line/options.js";
import { writeText } from "../command-line/output.js";
import { workerPlace } from "../worker/worker-call.js";

export const workerCommand: Command = {
  name: "worker",
  summary: "Evaluate inputs from PostgreSQL or NATS until stopped",
  positionals: "<module> <id>",
  counts: [2, 2],
  options: {
    postgres: { value: "<url>", description: "take inputs from this database; schema=… sets the schema" },
    inbox: { value: "<name>", description: "with --postgres: the inbox to take inputs from" },
    job: { value: "<name>", description: "with --postgres: a job over a table; ends when it is finished" },
    table: { value: "<name>", description: "with --job: the table with the inputs" },
    key: { value: "<column>", description: "with --job: the unique column to divide the rows by" },
    nats: { value: "<url>", description: "take inputs from this server's JetStream" },
    stream: { value: "<name>", description: "with --nats: the stream with the inputs" },
    consumer: { value: "<name>", description: "with --nats: its durable pull consumer" },
    results: { value: "<subject>", description: "with --nats: the subject of results" },
    emit: emitOption,
    ...decisionOptions,
    batch: { value: "<number>", description: "most inputs taken at a time (default: 1000)" },
    lanes: { value: "<number>", description: "batches processed in parallel (default: 2)" },
    metrics: {
      value: "<port>",
      description: "serve /metrics and /health/live on this port, 0 for a free one",
    },
    host: { value: "<name>", description: "with --metrics: address to listen on (default: 127.0.0.1)" },
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
  async run(call, io) {
    const {
      positionals: [module = "", id = ""],
      value,
    } = call;
    const place = workerPlace(call);
    const settings = {
      place,
      emit: emitOf(value("emit")),
      maxItems: wholeNumber(call, "batch", { least: 1 }),
      lanes: wholeNumber(call, "lanes", { least: 1 }),
      metricsPort: portNumber(call, "metrics"),
      host: value("host") ?? "127.0.0.1",
    };
    const { decisionWork } = await import("../module/decision-work.js");
    const { runModuleWorker } = await import("../worker/run-module-worker.js");
    const { givenProfiles } = await import("../module/profile-file.js");
    const { decision, profiles } = await decisionWork({
      module,
      cwd: io.cwd,
      id,
      version: value("version"),
      profiles: await givenProfiles(call, io),
      profileName: value("profile-name"),
    });
    const summary = await runModuleWorker(decision, { ...settings, profiles }, io);
    const counts = Object.entries(summary.counts).filter(([, count]) => count > 0);
    const what = counts.map(([status, count]) => `${status} ${count}`).join(", ");
    await writeText(
      io.stderr,
      `decern: evaluated ${summary.items} inputs${what === "" ? "" : `: ${what}`}\n`,
    );
    return exitCodes.ok;
  },
};
