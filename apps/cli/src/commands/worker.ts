import { type Command, exitCodes } from "../command-line/command.js";
import { portNumber, wholeNumber } from "../command-line/values.js";
import { writeText } from "../command-line/write-text.js";
import { decisionOptions } from "../module/decision-options.js";
import { emitOf, emitOption } from "../worker/emit-option.js";
import { workerPlace } from "../worker/worker-call.js";

export const workerCommand: Command = {
  name: "worker",
  summary: "Answer inputs from PostgreSQL or NATS until stopped",
  positionals: "<module> <id>",
  counts: [2, 2],
  options: {
    postgres: { value: "<url>", description: "take inputs from this database; schema=… names the schema" },
    inbox: { value: "<name>", description: "with --postgres: the inbox that inputs are put into" },
    job: { value: "<name>", description: "with --postgres: a job over a table; ends once it is done" },
    table: { value: "<name>", description: "with --job: the table with the inputs" },
    key: { value: "<column>", description: "with --job: the unique column that rows are divided by" },
    nats: { value: "<url>", description: "take inputs from this server's JetStream" },
    stream: { value: "<name>", description: "with --nats: the stream with the inputs" },
    consumer: { value: "<name>", description: "with --nats: its durable pull consumer" },
    results: { value: "<subject>", description: "with --nats: the subject of results" },
    emit: emitOption,
    ...decisionOptions,
    batch: { value: "<number>", description: "most inputs taken at once (default: 1000)" },
    lanes: { value: "<number>", description: "batches side by side (default: 2)" },
    metrics: {
      value: "<port>",
      description: "serve /metrics and /health/live on this port, 0 for a free one",
    },
    host: { value: "<name>", description: "with --metrics: address to listen on (default: 127.0.0.1)" },
  },
  examples: [
    [
      "decern worker decisions.ts loan-approval --postgres postgres://db/loans --inbox loans",
      "Answers what is put into the inbox, until it is stopped. Start as many as you like.",
    ],
    [
      "decern worker decisions.ts loan-approval --postgres postgres://db/loans --job recheck --table loans --key id",
      "Answers every row of a table, and ends.",
    ],
    [
      "decern worker decisions.ts loan-approval --nats nats://localhost --stream LOANS --consumer approval --results loans.answers",
      "Answers a stream of NATS JetStream.",
    ],
  ],
  exits: {
    0: "stopped on request (SIGTERM or SIGINT) with every batch committed that it had, or nothing is left to do",
    1: "wrong use, or a source that cannot be opened or was lost for good",
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
    const { readJson } = await import("../files/read-json.js");
    const file = value("profile");
    const profile = file === undefined ? undefined : await readJson(file, io);
    const work = { module, cwd: io.cwd, id, version: value("version"), profile };
    const { decision, profiles } = await decisionWork(work);
    const summary = await runModuleWorker(decision, { ...settings, profiles }, io);
    const counts = Object.entries(summary.counts).filter(([, count]) => count > 0);
    const what = counts.map(([status, count]) => `${status} ${count}`).join(", ");
    await writeText(io.stderr, `decern: answered ${summary.items} inputs${what === "" ? "" : `: ${what}`}\n`);
    return exitCodes.ok;
  },
};
